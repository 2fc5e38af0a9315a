package dev.headstone.table;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counted visits of one incarnation of a link.
 *
 * @param byDay how many on each day (UTC) that had any, oldest first
 * @param last when the last one was; empty if there was none
 */
public record VisitHistory(SortedMap<LocalDate, Long> byDay, Optional<Instant> last) {
    /** With a copy of {@code byDay}. */
    public VisitHistory {
        byDay = Collections.unmodifiableSortedMap(new TreeMap<>(byDay));
    }

    /** Of a link that nobody has visited. */
    public static VisitHistory none() {
        return new VisitHistory(new TreeMap<>(), Optional.empty());
    }

    /** All visits together. */
    public long total() {
        return byDay.values().stream().mapToLong(Long::longValue).sum();
    }
}
