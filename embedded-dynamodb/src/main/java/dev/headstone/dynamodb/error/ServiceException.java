package dev.headstone.dynamodb.error;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** An answer that is an error, with the text the service gives. */
public final class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorType type;
    private final transient Details details;

    /** Writes what an error carries beside its type and message, as fields of the object. */
    @FunctionalInterface
    public interface Details {
        /** Nothing. */
        Details NONE = _ -> {};

        /** Writes the fields. */
        void write(JsonGenerator out) throws IOException;
    }

    /** An error without details. */
    public ServiceException(ErrorType type, String message) {
        this(type, message, Details.NONE);
    }

    /** An error with details. */
    public ServiceException(ErrorType type, String message, Details details) {
        super(message, null, false, false); // an answer like others: nobody reads its stack
        this.type = type;
        this.details = details;
    }

    /** The table {@code name} is not there, as operations on tables say it. */
    public static ServiceException noTable(String name) {
        return new ServiceException(
                ErrorType.RESOURCE_NOT_FOUND,
                "Requested resource not found: Table: %s not found".formatted(name));
    }

    /** A table is not there, as operations on items say it. */
    public static ServiceException notFound() {
        return new ServiceException(ErrorType.RESOURCE_NOT_FOUND, "Requested resource not found");
    }

    /** The error's type. */
    public ErrorType type() {
        return type;
    }

    /** What it carries beside type and message. */
    public Details details() {
        return details;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
