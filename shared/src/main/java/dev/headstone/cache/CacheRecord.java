package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.link.Stamp;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What lies in the cache under a code. Immutable; instants are whole milliseconds. */
public sealed interface CacheRecord {
    /** Where it stands in the order of everything that may lie there. */
    Stamp stamp();

    /** Until when the key lives. */
    Instant staleUntil();

    /**
     * A link that redirects.
     *
     * @param freshUntil until when the record answers without the table
     */
    record Active(
            Stamp stamp,
            String longUrl,
            Optional<String> host,
            Optional<String> owner,
            List<String> tags,
            Optional<Instant> expiresAt,
            OptionalLong visitLimit,
            Instant freshUntil,
            Instant staleUntil)
            implements CacheRecord {
        /**
         * @throws IllegalArgumentException if the stamp is a tombstone's
         */
        public Active {
            tags = List.copyOf(tags);
            if (stamp.deleted()) {
                throw new IllegalArgumentException("an active record has an active stamp");
            }
        }

        /** Without the destination. */
        @Override
        public String toString() {
            return "Active[" + stamp + "]";
        }
    }

    /**
     * A link that is dead. It says nothing of where it led.
     *
     * @param cause why it is dead, which decides the status of its answer; empty in a record that
     *     does not say, or names a cause that this release does not know
     */
    record Tombstone(Stamp stamp, Instant staleUntil, Optional<Cause> cause)
            implements CacheRecord {
        /**
         * @throws IllegalArgumentException if the stamp is a live record's
         */
        public Tombstone {
            if (!stamp.deleted()) {
                throw new IllegalArgumentException("a tombstone has a tombstone's stamp");
            }
        }

        /** A tombstone that does not say why. */
        public Tombstone(Stamp stamp, Instant staleUntil) {
            this(stamp, staleUntil, Optional.empty());
        }
    }

    /**
     * The record of {@code link}, which the table held.
     *
     * @param readStarted when the read that gave it was begun
     * @param now when the record is made
     */
    static CacheRecord of(Link link, Instant readStarted, Instant now) {
        return switch (link.standing()) {
            case Alive _ -> active(link, readStarted);
            case Dead(Cause cause, Instant deletedAt) ->
                    new Tombstone(
                            link.stamp(),
                            Freshness.tombstoneUntil(deletedAt, link.purgeAt(), now),
                            Optional.of(cause));
        };
    }

    private static Active active(Link link, Instant readStarted) {
        return new Active(
                link.stamp(),
                link.longUrl().orElseThrow(),
                link.host(),
                link.owner(),
                link.tags(),
                link.expiresAt(),
                link.visitLimit(),
                Freshness.freshUntil(readStarted, link.expiresAt()),
                Freshness.staleUntil(readStarted, link.expiresAt()));
    }
}
