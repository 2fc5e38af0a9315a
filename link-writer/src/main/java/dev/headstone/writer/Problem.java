package dev.headstone.writer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * A problem document (RFC 9457): why a request was not answered as it was meant. Immutable.
 *
 * <p>It tells people what is wrong and programs what to look at, and nothing of what goes on
 * inside.
 */
public final class Problem {
    /** What is down for a moment is worth a second try after this many seconds. */
    private static final String RETRY_AFTER_SECONDS = "1";

    private final int status;
    private final ObjectNode document;

    private Problem(int status, ObjectNode document) {
        this.status = status;
        this.document = document;
    }

    /**
     * A problem.
     *
     * @param detail a sentence for a person
     * @throws IllegalArgumentException for a status that is none of an error that is used here
     */
    public static Problem of(int status, String detail) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("title", title(status));
        document.put("status", status);
        document.put("detail", detail);
        return new Problem(status, document);
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 422 -> "Unprocessable Content";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            case 505 -> "HTTP Version Not Supported";
            default -> throw new IllegalArgumentException("no problem of ours: " + status);
        };
    }

    /** How it came out, as in receipts and in the audit log. */
    public Problem outcome(String outcome) {
        return with("outcome", outcome);
    }

    /** Which field of the request is at fault. */
    public Problem field(String field) {
        return with("field", field);
    }

    /** Anything else worth knowing. */
    public Problem with(String name, String value) {
        return new Problem(status, document.deepCopy().put(name, value));
    }

    /** Anything else worth knowing, in numbers. */
    public Problem with(String name, long value) {
        return new Problem(status, document.deepCopy().put(name, value));
    }

    /** When something was. */
    public Problem with(String name, Instant value) {
        return with(name, Timestamps.text(value));
    }

    /** The answer that carries it; what is only unavailable for now says when to try again. */
    public ControlResponse response() {
        ControlResponse response =
                ControlResponse.of(status, "application/problem+json", document.toString());
        return status == 503 ? response.with("Retry-After", RETRY_AFTER_SECONDS) : response;
    }
}
