package dev.headstone.lambda;

import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * A client that is opened when it is first asked for, so that a start without it costs nothing, and
 * closed if it ever was. Safe for use by several threads.
 *
 * @param <T> which client it is
 */
public final class Later<T extends SdkAutoCloseable> implements Supplier<T>, AutoCloseable {
    private final Supplier<T> open;
    private Optional<T> opened = Optional.empty();

    /** What {@code open} opens, once. */
    public Later(Supplier<T> open) {
        this.open = open;
    }

    @Override
    public synchronized T get() {
        T part = opened.orElseGet(open);
        opened = Optional.of(part);
        return part;
    }

    @Override
    public synchronized void close() {
        opened.ifPresent(SdkAutoCloseable::close);
    }
}
