package dev.headstone.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What may lie under a record's key and is none, and what is one in spite of its looks. */
public final class UnreadableValues {
    private static final String STAMP = "1790000000000.0000000000000000003.0";
    private static final String DEAD = "1790000000000.0000000000000000003.1";
    private static final String REST =
            ",\"fresh_until\":1798000000000,\"stale_until\":1798000900000";
    private static final String URL = ",\"long_url\":\"https://example.com/\"";

    private UnreadableValues() {}

    /** The values of the shared cases, and their kin. */
    public static Stream<byte[]> all() {
        List<String> values = new ArrayList<>(cases());
        values.addAll(
                List.of(
                        "",
                        " ",
                        "\"text\"",
                        "1",
                        "{\"state\":\"active\",\"stamp\":\"" + STAMP + "\"" + REST + "}",
                        active(STAMP, URL, ",\"fresh_until\":1798000000000"),
                        active(STAMP, URL, ",\"stale_until\":1798000000000"),
                        active(DEAD, URL, REST),
                        active("1790000000000.9223372036854775808.0", URL, REST),
                        active("179000000000.00000000000000000003.0", URL, REST),
                        active("1790000000000.000000000000000000x.0", URL, REST),
                        active("1790000000000.0000000000000000003.2", URL, REST),
                        active(STAMP, ",\"long_url\":7", REST),
                        active(STAMP, ",\"long_url\":null", REST),
                        active(STAMP, ",\"long_url\":\"javascript:alert(1)\"", REST),
                        active(STAMP, ",\"long_url\":\"https://a/\\r\\nSet-Cookie: x\"", REST),
                        active(STAMP, ",\"long_url\":\"https://a/\\u00e9\"", REST),
                        active(STAMP, ",\"long_url\":\"https://\"", REST),
                        active(STAMP, URL + ",\"host\":null", REST),
                        active(STAMP, URL + ",\"owner\":[\"a\"]", REST),
                        active(STAMP, URL + ",\"tags\":\"a\"", REST),
                        active(STAMP, URL + ",\"tags\":[1]", REST),
                        active(STAMP, URL + ",\"tags\":[[\"a\"]]", REST),
                        active(STAMP, URL + ",\"expires_at\":\"soon\"", REST),
                        active(STAMP, URL + ",\"expires_at\":-1", REST),
                        active(STAMP, URL + ",\"expires_at\":1e12", REST),
                        active(STAMP, URL + ",\"expires_at\":1798000000000.5", REST),
                        active(STAMP, URL + ",\"expires_at\":99999999999999999999", REST),
                        active(STAMP, URL + ",\"visit_limit\":0", REST),
                        active(STAMP, URL + ",\"visit_limit\":0x10", REST),
                        active(STAMP, URL + ",\"visit_limit\":007", REST),
                        active(STAMP, URL + ",\"visit_limit\":NaN", REST),
                        active(STAMP, URL + ",\"later\":{\"nested\":1}", REST),
                        active(STAMP, URL + ",\"later\":NaN", REST),
                        active(STAMP, URL + URL, REST),
                        active(STAMP, URL, REST) + " x",
                        active(STAMP, URL, REST) + active(STAMP, URL, REST),
                        "[" + active(STAMP, URL, REST) + "]",
                        active(STAMP, URL + ",\"later\":\"" + "x".repeat(20_000) + "\"", REST),
                        dead(DEAD, ""),
                        dead(STAMP, ",\"stale_until\":1798000000000"),
                        dead(DEAD, URL + ",\"stale_until\":1798000000000"),
                        dead(DEAD, ",\"stale_until\":\"1798000000000\""),
                        dead(DEAD, ",\"cause\":7,\"stale_until\":1798000000000"),
                        dead(DEAD, ",\"cause\":null,\"stale_until\":1798000000000"),
                        dead(DEAD, ",\"cause\":[\"takedown\"],\"stale_until\":1798000000000"),
                        dead(
                                DEAD,
                                ",\"cause\":\"takedown\",\"cause\":\"takedown\","
                                        + "\"stale_until\":1798000000000"),
                        "{\"state\":\"gone\",\"stamp\":\"" + STAMP + "\"" + URL + REST + "}"));
        return values.stream().map(value -> value.getBytes(UTF_8));
    }

    /** Records of ours, in another order, with other white space, or of a later release. */
    public static Stream<byte[]> readable() {
        return Stream.of(
                        active(STAMP, URL, REST),
                        " " + active(STAMP, URL, REST) + "\n",
                        active(STAMP, URL, REST).replace(":", " : ").replace("https : ", "https:"),
                        active(STAMP, URL + ",\"later\":null,\"more\":1.5,\"most\":[\"a\"]", REST),
                        active(STAMP, URL + ",\"tags\":[]", REST),
                        active(STAMP, URL + ",\"host\":\"example.com\"", REST),
                        "{\"stale_until\":1798000000000,\"stamp\":\""
                                + DEAD
                                + "\",\"state\":\"deleted\"}",
                        dead(DEAD, ",\"stale_until\":1798000000000"),
                        dead(DEAD, ",\"stale_until\":1798000000000,\"cause\":\"takedown\""),
                        dead(DEAD, ",\"stale_until\":1798000000000,\"cause\":\"of later\""))
                .map(value -> value.getBytes(UTF_8));
    }

    private static String active(String stamp, String url, String rest) {
        return "{\"state\":\"active\",\"stamp\":\"" + stamp + "\"" + url + rest + "}";
    }

    private static String dead(String stamp, String rest) {
        return "{\"state\":\"deleted\",\"stamp\":\"" + stamp + "\"" + rest + "}";
    }

    /** The lines of {@code redis-values.jsonl}. */
    private static List<String> cases() {
        try (InputStream lines =
                Objects.requireNonNull(
                        UnreadableValues.class.getResourceAsStream("/cases/redis-values.jsonl"))) {
            ObjectMapper json = new ObjectMapper();
            List<String> values = new ArrayList<>();
            for (String line : new String(lines.readAllBytes(), UTF_8).lines().toList()) {
                JsonNode value = json.readTree(line).get("value");
                values.add(value.textValue());
            }
            return values;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
