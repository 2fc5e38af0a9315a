package dev.headstone.dynamodb.value;

/**
 * A request that breaks one of the service's rules. Its message is the text the service answers
 * with, as the error type {@code com.amazon.coral.validate#ValidationException}.
 */
public final class ValidationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Takes the message as the caller of the service will read it. */
    public ValidationException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
