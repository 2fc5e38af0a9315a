package dev.headstone.auditlog;

import dev.headstone.auditlog.AuditLog.Slice;
import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the log is what was appended to it, in one sweep and with memory that does not grow
 * with it. Events and markers vouch for each other: an event must stand where its marker says and
 * hash to what it says, and the place that a marker names must hold an event.
 *
 * <p>What it cannot see: an end of a chain that was removed together with its markers, and a log
 * whose every later hash and marker was written anew.
 */
public final class LogVerifier {
    /** Most faults reported: whoever has more does not read them one by one. */
    public static final int MOST_FAULTS = 1_000;

    private static final int PAGE = 500;

    private final AuditLog log;

    /** A verifier of {@code log}. */
    public LogVerifier(AuditLog log) {
        this.log = log;
    }

    /**
     * Verifies everything, or one chain, while others may be writing. Takes as long as the log is
     * large, for one chain too: only a sweep finds the markers of events that are gone.
     *
     * @throws AuditLogUnavailable if the log cannot be read
     */
    public Verification verify(Optional<String> chain) {
        Sweep sweep = new Sweep();
        log.sweep(chain, sweep::take);
        return sweep.finish();
    }

    /** The state of one verification. */
    private final class Sweep {
        private final Set<Fault> faults = new LinkedHashSet<>();
        private final List<Marker> expected = new ArrayList<>();
        private final Set<Place> places = new LinkedHashSet<>();
        private @Nullable ChainWalk walk;
        private boolean suspicious;
        private long eventsSeen;
        private long chainsSeen;

        void take(LogEntry entry) {
            switch (entry) {
                case Event event -> take(event);
                case Marker(_, String chain, long seq, _) -> {
                    places.add(new Place(chain, seq));
                    if (places.size() == AuditLog.MOST_AT_ONCE) {
                        checkPlaces();
                    }
                }
            }
        }

        Verification finish() {
            endWalk();
            checkMarkers();
            checkPlaces();
            return new Verification(chainsSeen, eventsSeen, List.copyOf(faults));
        }

        private void take(Event event) {
            eventsSeen++;
            chainsSeen += event.seq() == 1 ? 1 : 0;
            ChainWalk current = walk;
            if (current == null || !current.chain().equals(event.chain())) {
                endWalk();
                current = new ChainWalk(event.chain());
                walk = current;
            }
            suspicious |= !current.step(event).isEmpty();
            checkContent(event);
        }

        /**
         * A sweep is no snapshot, and what a store hands out in one piece today it may cut
         * tomorrow: what looks wrong in it is looked at again, from the beginning of the chain.
         */
        private void endWalk() {
            ChainWalk ended = walk;
            if (ended != null && suspicious) {
                walkAgain(ended.chain());
            }
            suspicious = false;
        }

        private void walkAgain(String chain) {
            ChainWalk again = new ChainWalk(chain);
            long after = 0;
            Slice slice;
            do {
                slice = log.chain(chain, after, Optional.empty(), PAGE);
                for (Event event : slice.events()) {
                    again.step(event).forEach(this::report);
                    after = event.seq();
                }
            } while (slice.more() && !slice.events().isEmpty());
        }

        private void checkContent(Event event) {
            try {
                ReceivedEvent received = ReceivedEvent.read(event.body());
                if (!received.chain().equals(event.chain())) {
                    report(Fault.Kind.EDITED, event.chain(), event.seq());
                }
                expected.add(markerOf(event, received.eventId()));
            } catch (IllegalArgumentException neverAppended) {
                report(Fault.Kind.EDITED, event.chain(), event.seq());
            }
            if (expected.size() == AuditLog.MOST_AT_ONCE) {
                checkMarkers();
            }
        }

        private void checkMarkers() {
            if (!expected.isEmpty()) {
                Map<String, Marker> found =
                        log.markers(
                                expected.stream().map(Marker::eventId).collect(Collectors.toSet()));
                for (Marker marker : expected) {
                    if (!marker.equals(found.get(marker.eventId()))) {
                        report(Fault.Kind.EDITED, marker.chain(), marker.seq());
                    }
                }
                expected.clear();
            }
        }

        private void checkPlaces() {
            if (!places.isEmpty()) {
                Set<Place> missing = new LinkedHashSet<>(places);
                missing.removeAll(log.present(Set.copyOf(places)));
                Map<String, Long> ends =
                        missing.stream()
                                .map(Place::chain)
                                .distinct()
                                .collect(Collectors.toMap(chain -> chain, log::lastSeq));
                for (Place place : missing) {
                    if (place.seq() > ends.getOrDefault(place.chain(), 0L)) {
                        report(Fault.Kind.TRUNCATED, place.chain(), place.seq());
                    }
                }
                places.clear();
            }
        }

        private void report(Fault.Kind kind, String chain, long seq) {
            report(new Fault(chain, kind, seq));
        }

        private void report(Fault fault) {
            boolean isNew = faults.size() < MOST_FAULTS && faults.add(fault);
            if (isNew && fault.kind() == Fault.Kind.GAP && fault.seq() == 1) {
                chainsSeen++; // its first event, by which chains are counted, is missing
            }
        }

        private static Marker markerOf(Event event, String eventId) {
            return new Marker(eventId, event.chain(), event.seq(), ChainHash.sha256(event.body()));
        }
    }
}
