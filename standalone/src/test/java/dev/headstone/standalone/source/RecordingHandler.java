package dev.headstone.standalone.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A handler that notes what it was given, batch by batch, and fails for the codes it is told to
 * fail for: by reporting them, as the stream consumer does, or by throwing.
 */
final class RecordingHandler implements EventHandler {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<List<String>> batches = new CopyOnWriteArrayList<>();
    private final List<String> settled = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> reported = new ConcurrentHashMap<>();
    private final Map<String, Integer> thrown = new ConcurrentHashMap<>();

    /** Reports this code as failed the next times it comes. */
    void reportNext(String code, int times) {
        reported.put(code, times);
    }

    /** Throws the next times this code comes. */
    void throwNext(String code, int times) {
        thrown.put(code, times);
    }

    /** Codes of each batch, in the order of the calls. */
    List<List<String>> batches() {
        return List.copyOf(batches);
    }

    /** Codes that were settled, in order. */
    List<String> settled() {
        return List.copyOf(settled);
    }

    @Override
    public byte[] handle(byte[] event, Instant deadline) throws Exception {
        List<String> codes = new ArrayList<>();
        List<String> identifiers = new ArrayList<>();
        for (JsonNode record : JSON.readTree(event).path("Records")) {
            codes.add(code(record));
            identifiers.add(identifier(record));
        }
        batches.add(codes);
        if (codes.stream().anyMatch(due(thrown))) {
            throw new IllegalStateException("told to throw");
        }
        for (int i = 0; i < codes.size(); i++) {
            if (due(reported).test(codes.get(i))) {
                return failures(identifiers.subList(i, identifiers.size()));
            }
            settled.add(codes.get(i));
        }
        return new byte[0];
    }

    private static Predicate<String> due(Map<String, Integer> failures) {
        return code ->
                failures.getOrDefault(code, 0) > 0 && failures.merge(code, -1, Integer::sum) >= 0;
    }

    private static String code(JsonNode record) {
        return record.has("dynamodb")
                ? record.at("/dynamodb/Keys/short_code/S").asText()
                : record.path("body").asText();
    }

    private static String identifier(JsonNode record) {
        return record.has("dynamodb")
                ? record.at("/dynamodb/SequenceNumber").asText()
                : record.path("messageId").asText();
    }

    static byte[] failure(String identifier) {
        return failures(List.of(identifier));
    }

    private static byte[] failures(List<String> identifiers) {
        return identifiers.stream()
                .map("{\"itemIdentifier\":\"%s\"}"::formatted)
                .collect(Collectors.joining(",", "{\"batchItemFailures\":[", "]}"))
                .getBytes(StandardCharsets.UTF_8);
    }
}
