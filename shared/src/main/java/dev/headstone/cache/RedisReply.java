package dev.headstone.cache;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A reply that came, or did not come as a reply. */
sealed interface RedisReply<T> {
    /** What came. */
    record Came<T>(@Nullable T value) implements RedisReply<T> {}

    /** Why nothing came, as a constant phrase, and what was thrown. */
    record Lost<T>(String why, Throwable cause) implements RedisReply<T> {}

    /** Waits for the reply, {@code budget} at the most. */
    static <T> RedisReply<T> await(Future<T> reply, Duration budget) {
        try {
            return new Came<>(reply.get(Math.max(0, budget.toNanos()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return new Lost<>("the cache did not answer in time", e);
        } catch (ExecutionException e) {
            return new Lost<>(
                    "the cache refused or lost the command",
                    e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Lost<>("interrupted while the cache was asked", e);
        }
    }
}
