package dev.headstone.standalone.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a running {@code serve} says of itself in {@code <data>/serve.json} once it is ready.
 *
 * @param port the port of the redirect listener
 * @param controlPort the port of the control listener
 * @param pid the process
 * @param dynamodbEndpoint where the embedded table answers; empty when the table is elsewhere
 * @param sqsEndpoint where the embedded queue answers; empty when the queue is elsewhere
 */
public record ServeFile(
        int port,
        int controlPort,
        long pid,
        Optional<URI> dynamodbEndpoint,
        Optional<URI> sqsEndpoint) {
    static final String NAME = "serve.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads what the {@code serve} on a data folder said. It may have been killed since: the file
     * then names a process that is gone.
     *
     * @return empty when none said it is ready, or what stands there cannot be read
     */
    public static Optional<ServeFile> read(Path folder) throws IOException {
        String text;
        try {
            text = Files.readString(folder.resolve(NAME));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            return parsed(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    String toJson() {
        ObjectNode json = JSON.createObjectNode();
        json.put("port", port);
        json.put("control_port", controlPort);
        json.put("pid", pid);
        dynamodbEndpoint.ifPresent(uri -> json.put("dynamodb_endpoint", uri.toString()));
        sqsEndpoint.ifPresent(uri -> json.put("sqs_endpoint", uri.toString()));
        return json + "\n";
    }

    private static Optional<ServeFile> parsed(JsonNode json) {
        return json.path("port").isInt()
                        && json.path("control_port").isInt()
                        && json.path("pid").isIntegralNumber()
                ? Optional.of(
                        new ServeFile(
                                json.path("port").asInt(),
                                json.path("control_port").asInt(),
                                json.path("pid").asLong(),
                                endpoint(json.path("dynamodb_endpoint")),
                                endpoint(json.path("sqs_endpoint"))))
                : Optional.empty();
    }

    private static Optional<URI> endpoint(JsonNode json) {
        return json.isTextual() ? Optional.of(URI.create(json.asText())) : Optional.empty();
    }
}
