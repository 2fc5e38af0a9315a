package dev.headstone.proof.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.proof.explore.Exploration.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ExplorerTest {
    @Test
    void findsTheRaceAndTellsAShortestWayToIt() {
        Exploration found = explore(Counters.racy(), Bounds.all(100));

        assertThat(found.complete()).isTrue();
        assertThat(found.violations())
                .singleElement()
                .satisfies(
                        violation -> {
                            assertThat(violation.broken()).isEqualTo(Counters.LOST);
                            assertThat(violation.story())
                                    .containsExactly(
                                            "1 reads 0", "2 reads 0", "1 writes 1", "2 writes 1");
                        });
    }

    @Test
    void visitsEachStateOfACorrectProgramOnce() {
        Exploration found = explore(Counters.atomic(), Bounds.all(100));

        assertThat(found).isEqualTo(new Exploration(4, 4, 2, true, List.of()));
    }

    @Test
    void saysThatASearchIsNotCompleteWhenItHitItsBound() {
        assertThat(explore(Counters.atomic(), Bounds.all(3)).complete()).isFalse();
        assertThat(explore(Counters.atomic(), Bounds.all(4)).complete()).isTrue();
    }

    @Test
    void endsWithTheFirstViolationIfThatIsAllThatIsWanted() {
        Exploration found = explore(Counters.racy(), Bounds.first(100));

        assertThat(found.broken()).isEqualTo(Counters.LOST);
        assertThat(found.complete()).isFalse();
    }

    @Test
    void isNotCompleteWhenWhoeverWatchesStopsIt() {
        Exploration found =
                Explorer.explore(Counters.atomic(), Bounds.all(100), (_, _, _) -> false);

        assertThat(found.complete()).isFalse();
        assertThat(found.states()).isEqualTo(1);
    }

    @Test
    void tellsWhoeverWatchesHowFarItIs() {
        List<Integer> depths = new ArrayList<>();

        Explorer.explore(Counters.racy(), Bounds.all(100), (_, _, depth) -> depths.add(depth));

        assertThat(depths).containsExactly(0);
    }

    @Test
    void tellsStatesApartWhoseHashesCollideAndFindsAllAgain() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        StateStore store = new StateStore(2);
        long[] state = new long[2];
        int most = 100_000;
        for (int i = 0; i < most; i++) {
            state[0] = i;
            state[1] = i % 7;
            assertThat(store.add(state, i - 1)).isTrue();
        }
        for (int i = 0; i < 1_000; i++) {
            int index = random.nextInt(most);
            state[0] = index;
            state[1] = index % 7;
            assertThat(store.add(state, 0)).isFalse();
            assertThat(store.parent(index)).isEqualTo(index - 1);
        }
        assertThat(store.size()).isEqualTo(most);
    }

    @Test
    void reportsEachKindOfViolationOnce() {
        Exploration found = explore(Counters.racy(), Bounds.all(100));

        assertThat(found.violations()).extracting(Violation::broken).doesNotHaveDuplicates();
    }

    private static Exploration explore(StateSpace space, Bounds bounds) {
        return Explorer.explore(space, bounds, Progress.UNWATCHED);
    }
}
