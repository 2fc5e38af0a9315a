package dev.headstone.table;

import java.util.List;

/** What became of adding a batch of visits. A batch is added as a whole or not at all. */
public sealed interface VisitsAdded {
    /** All of them stand in the table, once. */
    record Added() implements VisitsAdded {}

    /**
     * None of them does: they may be offered again in any other batch.
     *
     * @param hopeless those that the table will never take, since what lies in their place counts
     *     nothing
     * @param busy those that somebody else was writing at the same moment
     */
    record NotAdded(List<Visits> hopeless, List<Visits> busy, Exception cause)
            implements VisitsAdded {
        /** With copies of the lists. */
        public NotAdded {
            hopeless = List.copyOf(hopeless);
            busy = List.copyOf(busy);
        }
    }

    /**
     * Nobody knows: only the very same batch under the same id may be offered again, within {@link
     * VisitTable#REMEMBERED}.
     */
    record Unknown(Exception cause) implements VisitsAdded {}
}
