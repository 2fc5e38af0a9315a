package dev.headstone.proof.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.proof.explore.Bounds;
import dev.headstone.proof.explore.Progress;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
final class ModelTest {
    private static final int MOST = 3_000_000;

    static Stream<Row> rows() {
        return Model.rows(Model.Size.SMALL).stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void everyRowHasItsVerdict(Row row) {
        Verdict verdict = row.check(Bounds.all(MOST), Progress.UNWATCHED);

        assertThat(verdict.complete()).as("complete").isTrue();
        assertThat(verdict.broken())
                .as(() -> String.join("\n", verdict.stories().stream().map(Story::text).toList()))
                .isEqualTo(row.expected());
        assertThat(verdict.passes()).isTrue();
    }

    @Test
    void aSearchThatIsCutShortPassesNothing() {
        Row row = Model.rows(Model.Size.SMALL).get(0);

        Verdict verdict = row.check(Bounds.all(10), Progress.UNWATCHED);

        assertThat(verdict.holds()).isTrue();
        assertThat(verdict.complete()).isFalse();
        assertThat(verdict.passes()).isFalse();
    }

    @Test
    void findsTheSameAgain() {
        Row row = Model.rows(Model.Size.SMALL).get(4);

        assertThat(row.check(Bounds.all(MOST), Progress.UNWATCHED))
                .isEqualTo(row.check(Bounds.all(MOST), Progress.UNWATCHED));
    }

    @Test
    void tellsItsStoriesInSentences() {
        Row row = Model.rows(Model.Size.SMALL).get(1);

        assertThat(row.check(Bounds.all(MOST), Progress.UNWATCHED).stories())
                .singleElement()
                .extracting(Story::text)
                .isEqualTo(
                        """
                        1. click 1 looks into the cache: nothing
                        2. click 1 reads the table: live v1
                        3. takedown reads the table: live v1
                        4. takedown changes the table to dead v2
                        5. takedown writes the tombstone v2: the cache now holds tombstone v2; the death is reported
                        6. the cache evicts tombstone v2
                        7. click 1 writes live v1: the cache now holds live v1; it answers 302""");
    }
}
