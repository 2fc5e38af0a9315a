package dev.headstone.cache;

import dev.headstone.link.Stamp;
import java.time.Duration;

/** What a key is to be brought to, by what the table said. */
public sealed interface Settlement {
    /**
     * Write this record unless a readable newer one lies there.
     *
     * @param life the key's time to live, positive
     */
    record Write(CacheRecord record, Duration life) implements Settlement {}

    /** The link lives in version {@code live}: what is strictly older must go, the rest stays. */
    record DropOlder(Stamp live) implements Settlement {}

    /** The item is gone, and {@code last} was its last stamp: what is not newer must go. */
    record DropUpTo(Stamp last) implements Settlement {}

    /** The item is gone and nobody knows what it was: anything must go. */
    record DropAll() implements Settlement {}

    /** Nothing to write: the lease is given back, and only what nobody can read goes. */
    record Release() implements Settlement {}
}
