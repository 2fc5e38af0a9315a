package dev.headstone.stream;

import dev.headstone.link.ShortCode;
import java.time.Instant;

/** Who wants to look, some time after a change, whether the cache agrees with the table. */
@FunctionalInterface
public interface Comparisons {
    /**
     * A code changed and has been settled. Returns at once.
     *
     * @param changed when, as far as is known
     */
    void after(ShortCode code, Instant changed);

    /** Nobody. */
    static Comparisons none() {
        return (_, _) -> {};
    }
}
