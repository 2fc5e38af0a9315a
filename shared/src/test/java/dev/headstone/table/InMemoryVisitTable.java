package dev.headstone.table;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.ToLongFunction;

/**
 * A table of visits in memory that behaves as the real one does and can be told to fail. Held to
 * {@link VisitTableContract} beside the real one. Safe for use by several threads.
 */
public final class InMemoryVisitTable implements VisitTable, NotableLinks {
    private record Key(ShortCode code, long epoch, YearMonth month) {}

    private static final class Month {
        private final TreeMap<LocalDate, Long> days = new TreeMap<>();
        private Instant last = Instant.MIN;
        private Optional<Instant> purgeAt = Optional.empty();

        private long visits() {
            return days.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private final InMemoryLinkTable links;
    private final Map<Key, Month> months = new HashMap<>();
    private final Set<String> ids = new HashSet<>();
    private final List<List<Visits>> batches = new ArrayList<>();
    private final Set<ShortCode> hopeless = new HashSet<>();
    private final Set<ShortCode> busy = new HashSet<>();
    private boolean failing;
    private boolean refusing;
    private boolean replyLost;

    /**
     * @param links which new links are listed from
     */
    public InMemoryVisitTable(InMemoryLinkTable links) {
        this.links = links;
    }

    /** From now on nothing answers, or everything does again. */
    public synchronized void failing(boolean yes) {
        failing = yes;
    }

    /** From now on every batch is refused, or none is any more. */
    public synchronized void refusing(boolean yes) {
        refusing = yes;
    }

    /** The next batch lands, but is reported as unknown. */
    public synchronized void loseNextReply() {
        replyLost = true;
    }

    /** No visits of this code can ever be added. */
    public synchronized void hopeless(ShortCode code) {
        hopeless.add(code);
    }

    /** Visits of this code cannot be added for now, or can be again. */
    public synchronized void busy(ShortCode code, boolean yes) {
        if (yes) {
            busy.add(code);
        } else {
            busy.remove(code);
        }
    }

    /** The batches that were offered, in order. */
    public synchronized List<List<Visits>> batches() {
        return List.copyOf(batches);
    }

    /** All visits of a code, of every incarnation. */
    public synchronized long total(ShortCode code) {
        return months.entrySet().stream()
                .filter(entry -> entry.getKey().code().equals(code))
                .mapToLong(entry -> entry.getValue().visits())
                .sum();
    }

    @Override
    public synchronized VisitsAdded add(String id, List<Visits> batch) {
        batches.add(List.copyOf(batch));
        if (failing) {
            return new VisitsAdded.Unknown(down());
        }
        if (refusing) {
            return new VisitsAdded.NotAdded(List.of(), List.of(), down());
        }
        List<Visits> never = of(batch, hopeless);
        List<Visits> later = of(batch, busy);
        if (!never.isEmpty() || !later.isEmpty()) {
            return new VisitsAdded.NotAdded(never, later, new IOException("cancelled"));
        }
        if (ids.add(id)) {
            batch.forEach(this::add);
        }
        boolean lost = replyLost;
        replyLost = false;
        return lost ? new VisitsAdded.Unknown(down()) : new VisitsAdded.Added();
    }

    private static List<Visits> of(List<Visits> batch, Set<ShortCode> codes) {
        return batch.stream().filter(visits -> codes.contains(visits.code())).toList();
    }

    private void add(Visits visits) {
        Key key = new Key(visits.code(), visits.epoch(), YearMonth.from(visits.day()));
        Month month = months.computeIfAbsent(key, _ -> new Month());
        month.days.merge(visits.day(), visits.count(), Long::sum);
        month.last = visits.last();
        month.purgeAt = month.purgeAt.or(visits::purgeAt);
    }

    @Override
    public synchronized VisitsRead read(ShortCode code, long epoch) {
        if (failing) {
            return new VisitsRead.Failed(down());
        }
        TreeMap<LocalDate, Long> days = new TreeMap<>();
        Optional<Instant> last = Optional.empty();
        for (Map.Entry<Key, Month> entry : months.entrySet()) {
            if (entry.getKey().code().equals(code) && entry.getKey().epoch() == epoch) {
                days.putAll(entry.getValue().days);
                Instant at = entry.getValue().last;
                last = Optional.of(last.filter(at::isBefore).orElse(at));
            }
        }
        return new VisitsRead.Counted(new VisitHistory(days, last));
    }

    @Override
    public synchronized boolean keepUntil(ShortCode code, long epoch, Optional<Instant> purgeAt) {
        if (failing) {
            return false;
        }
        months.forEach(
                (key, month) -> {
                    if (key.code().equals(code) && key.epoch() == epoch) {
                        month.purgeAt = purgeAt;
                    }
                });
        return true;
    }

    /** When the counts of that month may be forgotten. */
    public synchronized Optional<Instant> purgeAt(ShortCode code, long epoch, YearMonth month) {
        return Optional.ofNullable(months.get(new Key(code, epoch, month)))
                .flatMap(found -> found.purgeAt);
    }

    @Override
    public synchronized Listing mostVisited(int most, Instant now) {
        return listed(most, now, Month::visits, Long::sum);
    }

    @Override
    public synchronized Listing visitedLast(int most, Instant now) {
        return listed(most, now, month -> month.last.toEpochMilli(), Long::max);
    }

    private Listing listed(
            int most, Instant now, ToLongFunction<Month> rank, BinaryOperator<Long> together) {
        if (failing) {
            return new Listing.Failed(down());
        }
        YearMonth month = YearMonth.from(Visits.dayOf(now));
        Map<ShortCode, Long> ranks = new HashMap<>();
        months.forEach(
                (key, counted) -> {
                    if (!key.month().isBefore(month.minusMonths(1))) {
                        ranks.merge(key.code(), rank.applyAsLong(counted), together);
                    }
                });
        return new Listing.Listed(
                ranks.entrySet().stream()
                        .sorted(Map.Entry.<ShortCode, Long>comparingByValue().reversed())
                        .limit(most)
                        .map(Map.Entry::getKey)
                        .toList());
    }

    @Override
    public synchronized Listing newest(int most) {
        if (failing) {
            return new Listing.Failed(down());
        }
        return new Listing.Listed(
                links.all().stream()
                        .sorted(Comparator.comparing(Link::createdAt).reversed())
                        .limit(most)
                        .map(Link::code)
                        .toList());
    }

    private static Exception down() {
        return new IOException("the table does not answer");
    }
}
