package dev.headstone.link;

import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A link as the table has it, immutable. All instants are whole milliseconds.
 *
 * @param longUrl the destination, byte for byte as accepted; a live link always has one, of a dead
 *     one it is not needed
 * @param host the destination's host as A-label
 * @param version 1 at creation, one more with every change of state
 * @param createdAt creation; also the <em>epoch</em>, which tells incarnations of a code apart
 * @param expiresAt the logical end; {@code now == expiresAt} is expired
 * @param purgeAt when the table may forget the item, to the second
 * @param visitLimit how many redirects the link is good for
 * @param visits how many were claimed (of a limited link) or counted; changes without a version
 */
public record Link(
        ShortCode code,
        Optional<String> longUrl,
        Optional<String> host,
        Standing standing,
        long version,
        Instant createdAt,
        LastChange lastChange,
        Optional<Instant> expiresAt,
        Optional<Instant> purgeAt,
        Optional<String> owner,
        List<String> tags,
        OptionalLong visitLimit,
        long visits) {

    /**
     * @throws IllegalArgumentException if the link is alive without a destination, or a number is
     *     out of range
     */
    public Link {
        tags = List.copyOf(tags);
        if (standing instanceof Alive && longUrl.isEmpty()) {
            throw new IllegalArgumentException("a live link has a destination");
        }
        if (version < 1 || visits < 0) {
            throw new IllegalArgumentException("version starts at 1 and visits at 0");
        }
    }

    /** Which incarnation of the code this is: its creation, epoch milliseconds. */
    public long epoch() {
        return createdAt.toEpochMilli();
    }

    /** Whether somebody ended it. */
    public boolean isDead() {
        return standing instanceof Dead;
    }

    /** Whether its time is over at {@code now}. */
    public boolean isExpired(Instant now) {
        return expiresAt.isPresent() && !now.isBefore(expiresAt.get());
    }

    /** Where this version stands in the total order of what the cache may hold. */
    public Stamp stamp() {
        return new Stamp(epoch(), version, isDead());
    }

    /** The next version of this link, ended by {@code change}. */
    public Link ended(Cause cause, LastChange change, Optional<Instant> newPurgeAt) {
        return next(new Dead(cause, change.at()), change, expiresAt, newPurgeAt, tags);
    }

    /** The next version of this link, alive again by {@code change}. */
    public Link revived(LastChange change, Optional<Instant> newPurgeAt) {
        return next(new Alive(), change, expiresAt, newPurgeAt, tags);
    }

    /** The next version of this link with other particulars. */
    public Link altered(
            LastChange change,
            Optional<Instant> newExpiresAt,
            Optional<Instant> newPurgeAt,
            List<String> newTags) {
        return next(standing, change, newExpiresAt, newPurgeAt, newTags);
    }

    /** The same version with another count of visits. */
    public Link withVisits(long count) {
        return new Link(
                code,
                longUrl,
                host,
                standing,
                version,
                createdAt,
                lastChange,
                expiresAt,
                purgeAt,
                owner,
                tags,
                visitLimit,
                count);
    }

    private Link next(
            Standing newStanding,
            LastChange change,
            Optional<Instant> newExpiresAt,
            Optional<Instant> newPurgeAt,
            List<String> newTags) {
        return new Link(
                code,
                longUrl,
                host,
                newStanding,
                version + 1,
                createdAt,
                change,
                newExpiresAt,
                newPurgeAt,
                owner,
                newTags,
                visitLimit,
                visits);
    }

    /** Without the destination: a log line of a dead link must not carry it. */
    @Override
    public String toString() {
        return "Link[" + code + " " + stamp() + "]";
    }
}
