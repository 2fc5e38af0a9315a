package dev.headstone.lambda;

import dev.headstone.lambda.AwsClients.Connections;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a function is made of, opened once for each execution environment: at the start, and again
 * after each restore from a snapshot. Before a snapshot it is exercised, so that classes are loaded
 * and code is warm, and then closed as a whole: no socket, no thread and no random state of it is
 * in the snapshot, since nothing of it is.
 *
 * <p>The runtime knows its hooks by weak references: whoever wants them called keeps this object.
 * Safe for use by several threads.
 *
 * @param <T> what there is to open
 */
public final class Snapshot<T extends AutoCloseable> implements Resource, Supplier<T> {
    private static final Logger log = LoggerFactory.getLogger(Snapshot.class);

    /** As Lambda sets {@code AWS_LAMBDA_INITIALIZATION_TYPE} where a snapshot is made. */
    private static final String SNAP_START = "snap-start";

    private final Function<Connections, T> open;
    private final Consumer<T> prime;
    private volatile @Nullable T parts;

    private Snapshot(Function<Connections, T> open, Consumer<T> prime, Connections connections) {
        this.open = open;
        this.prime = prime;
        this.parts = open.apply(connections);
    }

    /**
     * Opens, and registers the hooks.
     *
     * @param prime uses what was opened as an invocation would, without changing anything; may fail
     */
    public static <T extends AutoCloseable> Snapshot<T> of(
            Environment environment, Function<Connections, T> open, Consumer<T> prime) {
        boolean snapshotted =
                environment
                        .text("AWS_LAMBDA_INITIALIZATION_TYPE")
                        .filter(SNAP_START::equals)
                        .isPresent();
        Snapshot<T> snapshot =
                new Snapshot<>(open, prime, snapshotted ? Connections.CLOSED : Connections.KEPT);
        Core.getGlobalContext().register(snapshot);
        return snapshot;
    }

    /**
     * What is open now.
     *
     * @throws NullPointerException between a checkpoint and its restore
     */
    @Override
    public T get() {
        return Objects.requireNonNull(parts, "closed for a snapshot");
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) throws Exception {
        T open = get();
        try {
            prime.accept(open);
        } catch (RuntimeException e) { // a slower start is no reason for none
            log.atWarn().setCause(e).log("not primed before the snapshot");
        }
        parts = null;
        open.close();
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) {
        parts = open.apply(Connections.KEPT);
    }
}
