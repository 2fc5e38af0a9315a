package dev.headstone.table;

import java.util.Optional;

/**
 * Who died when. An entry is made in the transaction that makes a link die, and every read is
 * strongly consistent: a death that was committed before a read was begun is in it. An index that
 * lags would miss the last deaths, and a cache would be called swept that is not.
 *
 * <p>Implementations may be called from any thread, block, and end within their own deadline; an
 * index that does not answer is an outcome, never an exception.
 */
public interface DeathIndex {
    /** The most deaths that one page holds. */
    int PAGE = 200;

    /**
     * Reads one page of a partition, in order of time.
     *
     * @param from what the page before gave as {@link DeathPage.Read#next}; empty for the first
     */
    DeathPage read(DeathPartition partition, Optional<String> from);
}
