package dev.headstone.dynamodb.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.dynamodb.error.ErrorType;
import dev.headstone.dynamodb.error.ServiceException;
import dev.headstone.dynamodb.operation.Answer;
import dev.headstone.dynamodb.operation.Operations;
import dev.headstone.dynamodb.value.SerializationException;
import dev.headstone.dynamodb.value.ValidationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From the bytes of a request to those of its reply. Thread-safe. */
final class WireProtocol {
    private static final Logger log = LoggerFactory.getLogger(WireProtocol.class);

    private final Operations operations;
    private final ObjectMapper json;

    WireProtocol(Operations operations) {
        this.operations = operations;
        // Attribute names are the callers': interning them would let them fill the table of
        // strings.
        this.json =
                new ObjectMapper(
                                JsonFactory.builder()
                                        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                                        .build())
                        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                        .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
    }

    /**
     * Answers a request, and never throws.
     *
     * @param target the header X-Amz-Target
     * @param authorized whether there is a header Authorization
     */
    Reply reply(Optional<String> target, boolean authorized, byte[] body) {
        try {
            String operation =
                    target.filter(operations::has)
                            .orElseThrow(
                                    () -> new ServiceException(ErrorType.UNKNOWN_OPERATION, ""));
            if (!authorized) {
                throw new ServiceException(
                        ErrorType.MISSING_AUTHENTICATION_TOKEN,
                        "Request must contain either a valid (registered) AWS access key ID or X.509 certificate.");
            }
            return new Reply(200, write(operations.perform(operation, parse(body))));
        } catch (ServiceException e) {
            return error(e.type(), e.getMessage(), e.details());
        } catch (ValidationException e) {
            return error(ErrorType.VALIDATION, e.getMessage(), ServiceException.Details.NONE);
        } catch (SerializationException e) {
            return error(ErrorType.SERIALIZATION, e.getMessage(), ServiceException.Details.NONE);
        } catch (Throwable e) { // an error, too, is the fault of one request and has to be answered
            log.atError()
                    .addKeyValue("operation", target.orElse(""))
                    .setCause(e)
                    .log("an operation failed");
            return error(
                    ErrorType.INTERNAL_SERVER_ERROR,
                    "The request processing has failed because of an unknown error, exception or failure.",
                    ServiceException.Details.NONE);
        }
    }

    private ObjectNode parse(byte[] body) {
        JsonNode node;
        try {
            node = json.readTree(body);
        } catch (IOException _) {
            throw new SerializationException("");
        }
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new SerializationException("");
    }

    private byte[] write(Answer answer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            answer.writeFields(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("memory refused to be written to", e);
        }
        return bytes.toByteArray();
    }

    private Reply error(ErrorType type, String message, ServiceException.Details details) {
        byte[] body =
                write(
                        out -> {
                            out.writeStringField("__type", type.wireName());
                            if (!message.isEmpty()) {
                                out.writeStringField("message", message);
                            }
                            details.write(out);
                        });
        return new Reply(type.status(), body);
    }
}
