package dev.headstone.writer;

import dev.headstone.link.ShortCode;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Makes codes of 7 letters and digits, without those that people take for one another when they
 * read a code from paper: 0 and O, 1, l and I. That leaves 57 characters and 1.9 · 10^12 codes; at
 * a hundred million links one try in twenty thousand meets a code that is taken. As safe for
 * several threads as its source is.
 */
final class CodeGenerator {
    static final int LENGTH = 7;
    private static final String ALPHABET =
            "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

    /** A generator that answers reserved codes so often in a row is broken. */
    private static final int MOST_TRIES = 100;

    private final RandomGenerator random;

    /**
     * @param random unpredictable in production: who could guess codes could read other people's
     *     links
     */
    CodeGenerator(RandomGenerator random) {
        this.random = random;
    }

    /**
     * A code that is not reserved; whether it is free only the table knows.
     *
     * @throws IllegalStateException if the source of randomness gives nothing but reserved codes
     */
    ShortCode next() {
        return Stream.generate(this::any)
                .limit(MOST_TRIES)
                .filter(code -> !ReservedCodes.contains(code))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no randomness to make codes of"));
    }

    private ShortCode any() {
        StringBuilder code = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            code.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new ShortCode(code.toString());
    }
}
