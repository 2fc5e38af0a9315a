package dev.headstone.dynamodb.error;

/** An error type of the service, as its clients know it. */
public enum ErrorType {
    /** A condition of a single write did not hold. */
    CONDITIONAL_CHECK_FAILED("ConditionalCheckFailedException", Origin.TABLE, 400),
    /** An iterator is older than 15 minutes. */
    EXPIRED_ITERATOR("ExpiredIteratorException", Origin.TABLE, 400),
    /** A client token was used before, with other parameters. */
    IDEMPOTENT_PARAMETER_MISMATCH("IdempotentParameterMismatchException", Origin.TABLE, 400),
    /** A fault of this side; whether a write happened is unknown. */
    INTERNAL_SERVER_ERROR("InternalServerError", Origin.TABLE, 500),
    /** More than the service takes at a time. */
    LIMIT_EXCEEDED("LimitExceededException", Origin.TABLE, 400),
    /** A request without a signature. */
    MISSING_AUTHENTICATION_TOKEN("MissingAuthenticationTokenException", Origin.FRAMEWORK, 400),
    /** A table that is there already. */
    RESOURCE_IN_USE("ResourceInUseException", Origin.TABLE, 400),
    /** A table, stream or shard that is not there. */
    RESOURCE_NOT_FOUND("ResourceNotFoundException", Origin.TABLE, 400),
    /** A body that is not of the protocol's form. */
    SERIALIZATION("SerializationException", Origin.FRAMEWORK, 400),
    /** A transaction that did not happen, with the reasons. */
    TRANSACTION_CANCELED("TransactionCanceledException", Origin.TABLE, 400),
    /** Records of a stream that are older than it keeps. */
    TRIMMED_DATA_ACCESS("TrimmedDataAccessException", Origin.TABLE, 400),
    /** An operation that is not supported. */
    UNKNOWN_OPERATION("UnknownOperationException", Origin.FRAMEWORK, 400),
    /** A parameter that breaks a rule, or is not supported. */
    VALIDATION("ValidationException", Origin.VALIDATION, 400);

    private enum Origin {
        TABLE("com.amazonaws.dynamodb.v20120810#"),
        FRAMEWORK("com.amazon.coral.service#"),
        VALIDATION("com.amazon.coral.validate#");

        private final String prefix;

        Origin(String prefix) {
            this.prefix = prefix;
        }
    }

    private final String wireName;
    private final int status;

    ErrorType(String name, Origin origin, int status) {
        this.wireName = origin.prefix + name;
        this.status = status;
    }

    /** What goes into {@code __type}. */
    public String wireName() {
        return wireName;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }
}
