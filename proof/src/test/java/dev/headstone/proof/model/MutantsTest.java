package dev.headstone.proof.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.proof.explore.Bounds;
import dev.headstone.proof.explore.Progress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
final class MutantsTest {
    private static final int MOST = 1_000_000;

    static Stream<Mutant> mutants() {
        return Mutants.all().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void breaksSomethingOrIsMadeUpForByAnotherRule(Mutant mutant) {
        Mutant.Result result = mutant.check(MOST, Progress.UNWATCHED);

        assertThat(result.passes())
                .as(() -> mutant + "\n" + result.story().map(Story::text).orElse("no story"))
                .isTrue();
        assertThat(result.story().isPresent()).isEqualTo(mutant.needed());
    }

    /** What breaks without a rule must be the fault of its absence. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void nothingBreaksInTheSameWorldWithTheRule(Mutant mutant) {
        Verdict verdict = mutant.shipped().check(Bounds.all(MOST), Progress.UNWATCHED);

        assertThat(verdict.passes())
                .as(() -> String.join("\n", verdict.stories().stream().map(Story::text).toList()))
                .isTrue();
    }

    @Test
    void eachNamesARuleOfItsOwn() {
        List<Mutant> mutants = Mutants.all();

        assertThat(mutants).extracting(Mutant::rule).doesNotHaveDuplicates();
        assertThat(mutants).filteredOn(mutant -> !mutant.needed()).hasSize(4);
    }

    @Test
    void aCounterExampleIsToldFromItsBeginningToWhatItBreaks() {
        Mutant mutant = Mutants.all().get(0);

        assertThat(mutant.check(MOST, Progress.UNWATCHED).story())
                .map(Story::text)
                .hasValue(
                        """
                        1. click 1 looks into the cache: nothing
                        2. click 1 reads the table: live v1
                        3. takedown reads the table: live v1
                        4. takedown takes the lease
                        5. takedown changes the table to dead v2
                        6. takedown writes the tombstone v2: the cache now holds tombstone v2; the death is reported
                        7. the cache evicts tombstone v2
                        8. click 1 writes live v1: the cache now holds live v1; it answers 302""");
    }
}
