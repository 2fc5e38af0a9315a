package dev.headstone.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.headstone.lambda.AwsClients.Connections;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crac.Context;
import org.crac.Resource;
import org.junit.jupiter.api.Test;

final class SnapshotTest {
    private static final Environment SNAP_START =
            new Environment(Map.of("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start"));

    private final List<String> happened = new ArrayList<>();
    private int opened;

    /** Something that notes what becomes of it. */
    private final class Part implements AutoCloseable {
        private final int number = ++opened;

        @Override
        public void close() {
            happened.add("close " + number);
        }
    }

    private Part open(Connections connections) {
        Part part = new Part();
        happened.add("open " + part.number + " " + connections);
        return part;
    }

    private Snapshot<Part> snapshot(Environment environment) {
        return Snapshot.of(environment, this::open, part -> happened.add("prime " + part.number));
    }

    @Test
    void isPrimedAndClosedBeforeTheSnapshotAndOpenedAnewAfterEachRestore() throws Exception {
        Snapshot<Part> snapshot = snapshot(SNAP_START);
        Part before = snapshot.get();

        snapshot.beforeCheckpoint(noContext());
        assertThatNullPointerException().isThrownBy(snapshot::get);
        snapshot.afterRestore(noContext());

        assertThat(happened).containsExactly("open 1 CLOSED", "prime 1", "close 1", "open 2 KEPT");
        assertThat(snapshot.get()).isNotSameAs(before);
    }

    @Test
    void keepsItsConnectionsWhereNoSnapshotIsMade() {
        snapshot(new Environment(Map.of()));

        assertThat(happened).containsExactly("open 1 KEPT");
    }

    @Test
    void isClosedEvenIfItCannotBePrimed() throws Exception {
        Snapshot<Part> snapshot =
                Snapshot.of(
                        SNAP_START,
                        this::open,
                        _ -> {
                            throw new IllegalStateException("the table is away");
                        });

        snapshot.beforeCheckpoint(noContext());

        assertThat(happened).containsExactly("open 1 CLOSED", "close 1");
    }

    @SuppressWarnings("NullAway") // the hooks do not look at it
    private static Context<? extends Resource> noContext() {
        return null;
    }
}
