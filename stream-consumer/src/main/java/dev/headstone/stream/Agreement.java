package dev.headstone.stream;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRecord;
import dev.headstone.link.Link;
import dev.headstone.link.Stamp;
import dev.headstone.table.TableRead;
import java.time.Instant;
import java.util.Optional;

/** Whether what lies in the cache may lie there, given what the table says. */
sealed interface Agreement {
    /** It may. */
    record Agrees() implements Agreement {}

    /**
     * It may not.
     *
     * @param cached the stamp of what lies there
     * @param item what the table holds; empty if the item is gone
     */
    record Disagrees(Kind kind, Stamp cached, Optional<Link> item) implements Agreement {
        /** Whether {@code other} is the same finding, made again. */
        boolean isStill(Disagrees other) {
            return kind == other.kind
                    && cached.equals(other.cached)
                    && item.map(Link::stamp).equals(other.item.map(Link::stamp));
        }
    }

    /** One of the two could not be asked. */
    record Undecided(String why) implements Agreement {}

    /** How they disagree. */
    enum Kind {
        /** A record that answers, of a link that is dead or gone. */
        DEAD_SERVED("dead_served"),
        /** A tombstone, of a link that lives. */
        LIVE_HIDDEN("live_hidden"),
        /** A record of another version than the table's. */
        OUTDATED("outdated");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** The name in metrics, log and audit. */
        String wireName() {
            return wireName;
        }
    }

    /**
     * Compares. What answers nothing agrees with everything: nothing at all, what is unreadable,
     * and a record that has expired by its own fields.
     */
    static Agreement of(CacheLookup seen, TableRead truth, Instant now) {
        return switch (seen) {
            case CacheLookup.Absent _, CacheLookup.Unreadable _ -> new Agrees();
            case CacheLookup.Unavailable(String why) -> new Undecided(why);
            case CacheLookup.Found(CacheRecord record) ->
                    switch (truth) {
                        case TableRead.Found(Link link) -> of(record, link, now);
                        case TableRead.Absent _ -> ofGone(record, now);
                        case TableRead.Unreadable _ -> ofGone(record, now);
                        case TableRead.Failed _ -> new Undecided("the table cannot be read");
                    };
        };
    }

    private static Agreement of(CacheRecord record, Link link, Instant now) {
        return switch (record) {
            case CacheRecord.Tombstone tombstone ->
                    link.isDead() ? new Agrees() : hidden(tombstone, link, now);
            case CacheRecord.Active active -> {
                if (isOver(active, now) || active.stamp().equals(link.stamp())) {
                    yield new Agrees();
                }
                yield new Disagrees(
                        link.isDead() ? Kind.DEAD_SERVED : Kind.OUTDATED,
                        active.stamp(),
                        Optional.of(link));
            }
        };
    }

    /** An expired link answers as a dead one. */
    private static Agreement hidden(CacheRecord.Tombstone tombstone, Link link, Instant now) {
        return link.isExpired(now)
                ? new Agrees()
                : new Disagrees(Kind.LIVE_HIDDEN, tombstone.stamp(), Optional.of(link));
    }

    private static Agreement ofGone(CacheRecord record, Instant now) {
        return switch (record) {
            case CacheRecord.Tombstone _ -> new Agrees();
            case CacheRecord.Active active ->
                    isOver(active, now)
                            ? new Agrees()
                            : new Disagrees(Kind.DEAD_SERVED, active.stamp(), Optional.empty());
        };
    }

    private static boolean isOver(CacheRecord.Active active, Instant now) {
        return active.expiresAt().filter(expiry -> !now.isBefore(expiry)).isPresent();
    }
}
