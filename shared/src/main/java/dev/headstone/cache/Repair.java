package dev.headstone.cache;

import dev.headstone.link.Link;
import java.util.Optional;

/** What became of bringing the cache in line with the table. */
public sealed interface Repair {
    /**
     * The key is what the table wanted, confirmed.
     *
     * @param item what the table held while the lease was ours; empty if the item is gone
     */
    record Settled(Optional<Link> item) implements Repair {}

    /** There is an item, but it is no link: nothing was written, and a retry would not help. */
    record Unreadable(String why) implements Repair {}

    /** The table could not be asked. */
    record TableFailed(Exception cause) implements Repair {}

    /**
     * The cache could not be brought in line, or nobody knows whether it was.
     *
     * @param why a constant phrase, for log and problem document
     */
    record CacheFailed(String why) implements Repair {}
}
