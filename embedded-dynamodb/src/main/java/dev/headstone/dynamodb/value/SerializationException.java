package dev.headstone.dynamodb.value;

/**
 * A request body that does not have the shape of the wire protocol, such as a JSON number where a
 * string belongs. The service answers with the error type {@code
 * com.amazon.coral.service#SerializationException}.
 */
public final class SerializationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Takes the message as the caller of the service will read it. */
    public SerializationException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
