package dev.headstone.table;

import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The counted visits of links, apart from the links: counting changes no item of a link, no version
 * and no stream record.
 *
 * <p>Implementations may be called from any thread, block, and end within their own deadline; a
 * table that does not answer is an outcome, never an exception.
 */
public interface VisitTable {
    /** The most visits of one batch: so many writes one transaction takes. */
    int MOST_PER_BATCH = 100;

    /** How long after its first attempt a batch is known by its id: the service says 10 minutes. */
    Duration REMEMBERED = Duration.ofMinutes(8);

    /**
     * Adds a batch, as a whole and once, however often it is offered under the same id within
     * {@link #REMEMBERED}.
     *
     * @param id unique to this batch, 36 characters at the most
     * @param batch 1 to {@link #MOST_PER_BATCH} visits, no two of the same link and month
     */
    VisitsAdded add(String id, List<Visits> batch);

    /** The visits of one incarnation of a link, read consistently. */
    VisitsRead read(ShortCode code, long epoch);

    /**
     * Lets what is counted for a link be forgotten when the link is, or kept if that is empty.
     *
     * @return whether it is done; if not, the table did not answer
     */
    boolean keepUntil(ShortCode code, long epoch, Optional<Instant> purgeAt);
}
