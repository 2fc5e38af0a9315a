package dev.headstone.dynamodb.expression;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The words that cannot name an attribute in an expression, in upper or lower case.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html">the
 *     list</a>
 */
final class ReservedWords {
    private static final Set<String> WORDS = read();

    private ReservedWords() {}

    static boolean contain(String word) {
        return WORDS.contains(word.toUpperCase(Locale.ROOT));
    }

    static Set<String> all() {
        return WORDS;
    }

    private static Set<String> read() {
        try (InputStream in =
                Objects.requireNonNull(
                        ReservedWords.class.getResourceAsStream("reserved-words.txt"),
                        "reserved-words.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
