package dev.headstone.standalone.control;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The parameters of a query, each at most once and none that is not known. Immutable. */
final class Query {
    private final Map<String, String> values;

    private Query(Map<String, String> values) {
        this.values = values;
    }

    /** What became of reading a query. */
    sealed interface Reading {
        /** It could be read. */
        record Valid(Query query) implements Reading {}

        /**
         * It could not.
         *
         * @param field the parameter at fault, or the whole query
         */
        record Rejected(String field, String why) implements Reading {}
    }

    /**
     * Reads a query. A plus sign is one, not a space: no value has spaces, and times have offsets.
     *
     * @param raw what stands after the question mark, as sent; empty if there is none
     */
    static Reading read(String raw, Set<String> known) {
        Map<String, String> values = new TreeMap<>();
        for (String parameter : raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            String name = parts[0];
            if (!known.contains(name)) {
                return new Reading.Rejected(
                        "query", "The only parameters are " + String.join(", ", known) + ".");
            }
            Optional<String> value = decode(parts.length == 2 ? parts[1] : "");
            if (value.isEmpty()) {
                return new Reading.Rejected(name, "The value has a broken percent escape.");
            }
            if (values.put(name, value.get()) != null) {
                return new Reading.Rejected(name, "The parameter is given once.");
            }
        }
        return new Reading.Valid(new Query(values));
    }

    private static Optional<String> decode(String raw) {
        try {
            return Optional.of(URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
