package dev.headstone.table;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.List;

/**
 * The links that are likely to be asked for next. The lists come from the table, so that they
 * outlive every cache; they may lag a little, and a link on them may have ended.
 *
 * <p>Implementations may be called from any thread, block, and end within their own deadline; a
 * table that does not answer is an outcome, never an exception.
 */
public interface NotableLinks {
    /** What became of asking for a list. */
    sealed interface Listing {
        /** The codes, first things first. */
        record Listed(List<ShortCode> codes) implements Listing {
            /** With a copy of {@code codes}. */
            public Listed {
                codes = List.copyOf(codes);
            }
        }

        /** The table did not answer. */
        record Failed(Exception cause) implements Listing {}
    }

    /** Those with the most visits in this month (UTC) and the one before. */
    Listing mostVisited(int most, Instant now);

    /** Those visited last, in this month (UTC) or the one before. */
    Listing visitedLast(int most, Instant now);

    /** Those created last, in the last {@link VisitItem#NEW_KEPT}. */
    Listing newest(int most);
}
