package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An {@link AuditLog} in memory that behaves: it can be made to fail for chosen events or for all,
 * to keep an event and lose the reply, and it can be tampered with. Safe for use by several
 * threads.
 */
public final class InMemoryAuditLog implements AuditLog, Tampering {
    private static final int MOST_BODY_BYTES = 400 * 1024 - 512;

    private final InstantSource clock;
    private final NavigableMap<String, NavigableMap<Long, Event>> chains = new TreeMap<>();
    private final Map<String, Marker> markers = new LinkedHashMap<>();
    private final Set<String> failing = new HashSet<>();
    private boolean unreachable;
    private boolean losesReplies;

    /** An empty log that takes the time of recording from {@code clock}. */
    public InMemoryAuditLog(InstantSource clock) {
        this.clock = clock;
    }

    /** The events of these ids cannot be written any more. */
    public synchronized void failsFor(String... eventIds) {
        failing.addAll(List.of(eventIds));
    }

    /** Nothing can be written or read any more. */
    public synchronized void unreachable() {
        unreachable = true;
    }

    /** What is written stays, but its writer is told that it failed. */
    public synchronized void losesReplies() {
        losesReplies = true;
    }

    /** All is well again. */
    public synchronized void recovers() {
        failing.clear();
        unreachable = false;
        losesReplies = false;
    }

    @Override
    public synchronized Appended append(ReceivedEvent received) {
        if (unreachable || failing.contains(received.eventId())) {
            return new Appended.Failed(new IOException("the log cannot be reached"));
        }
        Marker known = markers.get(received.eventId());
        if (known != null) {
            Optional<String> stored =
                    Optional.ofNullable(chain(known.chain()).get(known.seq())).map(Event::body);
            return Appended.repeated(received, known, stored);
        }
        int bytes = received.body().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BODY_BYTES) {
            return new Appended.TooLarge(bytes);
        }
        Event event = next(received);
        put(event);
        put(
                new Marker(
                        received.eventId(),
                        event.chain(),
                        event.seq(),
                        ChainHash.sha256(event.body())));
        return losesReplies
                ? new Appended.Failed(new IOException("the reply was lost"))
                : new Appended.Written(event);
    }

    private Event next(ReceivedEvent received) {
        Map.Entry<Long, Event> last = chain(received.chain()).lastEntry();
        long seq = last == null ? 1 : last.getKey() + 1;
        String prevHash = last == null ? ChainHash.NONE : last.getValue().hash();
        return new Event(
                received.chain(),
                seq,
                received.body(),
                prevHash,
                ChainHash.of(prevHash, seq, received.body()),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    @Override
    public synchronized Slice chain(String chain, long after, Optional<Instant> since, int limit) {
        requireReachable();
        Predicate<Event> recentEnough =
                event -> since.isEmpty() || !event.recordedAt().isBefore(millis(since.get()));
        return slice(
                chain(chain).tailMap(after, false).values().stream().filter(recentEnough), limit);
    }

    private static Instant millis(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public synchronized Slice recorded(TimeKey after, int limit) {
        requireReachable();
        return slice(
                events().filter(event -> TimeKey.of(event).compareTo(after) > 0)
                        .sorted(Comparator.comparing(TimeKey::of)),
                limit);
    }

    private static Slice slice(Stream<Event> events, int limit) {
        SliceBuilder slice = new SliceBuilder(limit);
        events.takeWhile(_ -> !slice.knowsMore()).forEachOrdered(slice::add);
        return slice.build();
    }

    @Override
    public void sweep(Optional<String> chain, Consumer<LogEntry> each) {
        List<LogEntry> entries = new ArrayList<>();
        synchronized (this) {
            requireReachable();
            markers.values().stream()
                    .filter(marker -> chain.isEmpty() || chain.get().equals(marker.chain()))
                    .forEach(entries::add);
            events().filter(event -> chain.isEmpty() || chain.get().equals(event.chain()))
                    .forEach(entries::add);
        }
        entries.forEach(each);
    }

    @Override
    public synchronized Set<Place> present(Set<Place> places) {
        requireReachable();
        requireFew(places);
        return places.stream()
                .filter(place -> chain(place.chain()).containsKey(place.seq()))
                .collect(Collectors.toSet());
    }

    @Override
    public synchronized Map<String, Marker> markers(Set<String> eventIds) {
        requireReachable();
        requireFew(eventIds);
        return markers.values().stream()
                .filter(marker -> eventIds.contains(marker.eventId()))
                .collect(Collectors.toMap(Marker::eventId, marker -> marker));
    }

    @Override
    public synchronized long lastSeq(String chain) {
        requireReachable();
        NavigableMap<Long, Event> events = chain(chain);
        return events.isEmpty() ? 0 : events.lastKey();
    }

    @Override
    public synchronized void put(LogEntry entry) {
        switch (entry) {
            case Event event -> chain(event.chain()).put(event.seq(), event);
            case Marker marker -> markers.put(marker.eventId(), marker);
        }
    }

    @Override
    public synchronized void remove(Place place) {
        chain(place.chain()).remove(place.seq());
    }

    @Override
    public synchronized void removeMarker(String eventId) {
        markers.remove(eventId);
    }

    private Stream<Event> events() {
        return chains.values().stream().flatMap(chain -> chain.values().stream());
    }

    private NavigableMap<Long, Event> chain(String name) {
        return chains.computeIfAbsent(name, _ -> new TreeMap<>());
    }

    private void requireReachable() {
        if (unreachable) {
            throw new AuditLogUnavailable("the log cannot be reached");
        }
    }

    private static void requireFew(Set<?> asked) {
        if (asked.isEmpty() || asked.size() > MOST_AT_ONCE) {
            throw new IllegalArgumentException("from 1 to %d at once".formatted(MOST_AT_ONCE));
        }
    }
}
