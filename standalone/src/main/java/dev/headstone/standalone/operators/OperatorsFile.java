package dev.headstone.standalone.operators;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The form of {@code operators.json}. */
final class OperatorsFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private OperatorsFile() {}

    static String write(List<Operator> operators) {
        ObjectNode file = JSON.createObjectNode();
        ArrayNode entries = file.putArray("operators");
        for (Operator operator : operators) {
            entries.addObject()
                    .put("name", operator.name())
                    .put("role", operator.role().label())
                    .put("token_sha256", operator.tokenHash())
                    .put("created_at", operator.createdAt().toString());
        }
        return file.toPrettyString() + "\n";
    }

    /**
     * Reads all of it or nothing: an entry that cannot be read may be one that somebody meant to
     * restrict.
     */
    static List<Operator> read(String text) throws IOException {
        JsonNode file;
        try {
            file = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            // Its message quotes the text.
            throw new IOException("operators.json is not JSON");
        }
        if (!file.path("operators").isArray()) {
            throw new IOException("operators.json has no list of operators");
        }
        List<Operator> operators = new ArrayList<>();
        for (JsonNode entry : file.path("operators")) {
            operators.add(entry(entry));
        }
        return List.copyOf(operators);
    }

    private static Operator entry(JsonNode entry) throws IOException {
        String name = entry.path("name").asText();
        String hash = entry.path("token_sha256").asText();
        if (!Operator.isName(name) || !hash.matches("[0-9a-f]{64}")) {
            throw new IOException("operators.json has an entry without a name or a hash");
        }
        Role role =
                Role.of(entry.path("role").asText())
                        .orElseThrow(
                                () -> new IOException("operators.json: unknown role of " + name));
        try {
            return new Operator(name, role, hash, Instant.parse(entry.path("created_at").asText()));
        } catch (DateTimeException e) {
            throw new IOException("operators.json: unknown time of " + name);
        }
    }
}
