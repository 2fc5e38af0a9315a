package dev.headstone.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CodeGeneratorTest {
    private static final String ALPHABET =
            "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

    @Test
    void codesAreSevenCharactersThatNobodyTakesForOneAnother() {
        CodeGenerator codes = new CodeGenerator(new Random(7));
        Set<Integer> seen = new HashSet<>();

        IntStream.range(0, 10_000)
                .forEach(
                        _ -> {
                            String code = codes.next().value();
                            assertThat(code).matches("[A-HJ-NP-Za-km-z2-9]{7}");
                            code.chars().forEach(seen::add);
                        });

        assertThat(seen).hasSize(ALPHABET.length());
    }

    @Test
    void aReservedCodeIsPassedOver() {
        CodeGenerator codes = new CodeGenerator(spelling("sitemapFavicon" + "abcdefg"));

        assertThat(codes.next().value()).isEqualTo("abcdefg");
    }

    @Test
    void aSourceThatOnlySpellsReservedCodesIsBroken() {
        CodeGenerator codes = new CodeGenerator(spelling("sitemap".repeat(1_000)));

        assertThatIllegalStateException().isThrownBy(codes::next);
    }

    private static RandomGenerator spelling(String text) {
        return new Random() {
            private static final long serialVersionUID = 1L;
            private int at;

            @Override
            public int nextInt(int bound) {
                return ALPHABET.indexOf(text.charAt(at++));
            }
        };
    }
}
