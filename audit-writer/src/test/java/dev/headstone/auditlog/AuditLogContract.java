package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.auditlog.AuditLog.Slice;
import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link AuditLog} does: the fake that tests use, and the adapter that ships. */
abstract class AuditLogContract {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:01.500Z");

    /** What the log under test takes the time of recording from. */
    protected final SettableClock clock = new SettableClock(NOON);

    /** The log under test, empty. */
    protected abstract AuditLog log();

    @Test
    void putsTheEventsOfALinkInAChain() {
        ReceivedEvent first = Bodies.takedown("e-1", "abc");
        ReceivedEvent second = Bodies.takedown("e-2", "abc");

        Event one = written(first);
        Event two = written(second);

        String hash = ChainHash.of(ChainHash.NONE, 1, first.body());
        assertThat(one).isEqualTo(new Event("abc", 1, first.body(), ChainHash.NONE, hash, NOON));
        assertThat(two)
                .isEqualTo(
                        new Event(
                                "abc",
                                2,
                                second.body(),
                                hash,
                                ChainHash.of(hash, 2, second.body()),
                                NOON));
        assertThat(log().chain("abc", 0, Optional.empty(), 10))
                .isEqualTo(new Slice(List.of(one, two), false));
    }

    @Test
    void keepsOneChainPerLinkAndOneForEachKindOfThingThatIsNoLink() {
        written(Bodies.takedown("e-1", "abc"));
        written(Bodies.takedown("e-2", "ABC"));
        written(Bodies.hostBlocked("e-3"));

        assertThat(log().lastSeq("abc")).isEqualTo(1);
        assertThat(log().lastSeq("ABC")).isEqualTo(1);
        assertThat(log().lastSeq(":host")).isEqualTo(1);
        assertThat(log().lastSeq("xyz")).isZero();
    }

    @Test
    void recognisesAnEventThatItHas() {
        ReceivedEvent event = Bodies.takedown("e-1", "abc");
        written(event);
        written(Bodies.takedown("e-2", "abc"));

        assertThat(log().append(event)).isEqualTo(new Appended.AlreadyWritten(new Place("abc", 1)));
        assertThat(log().lastSeq("abc")).isEqualTo(2);
    }

    @Test
    void recognisesAnEventThatIsOnlySpeltInAnotherWay() {
        ReceivedEvent event = Bodies.takedown("e-1", "abc");
        written(event);

        ReceivedEvent respelt =
                ReceivedEvent.read(
                        event.body()
                                .replace("\"version\":2,", "")
                                .replace("}", ", \"version\": 2}"));

        assertThat(respelt.body()).isNotEqualTo(event.body());
        assertThat(log().append(respelt)).isInstanceOf(Appended.AlreadyWritten.class);
    }

    @Test
    void keepsTheFirstOfTwoContentsUnderOneId() {
        ReceivedEvent first = Bodies.takedown("e-1", "abc", "phishing");
        Event kept = written(first);

        assertThat(log().append(Bodies.takedown("e-1", "abc", "spam")))
                .isEqualTo(new Appended.Conflicting(new Place("abc", 1)));
        assertThat(log().append(Bodies.takedown("e-1", "xyz", "phishing")))
                .isEqualTo(new Appended.Conflicting(new Place("abc", 1)));

        assertThat(log().chain("abc", 0, Optional.empty(), 10).events()).containsExactly(kept);
        assertThat(log().lastSeq("xyz")).isZero();
    }

    @Test
    void keepsABodyByteForByte() {
        String body =
                """
                {"event_id" : "e-1", "at":"2026-11-30T12:00:00.123456789Z", "type":"link.renamed",
                 "outcome":"success","short_code":"abc","epoch":1,"version":2,"actor":"\u0130pek \ud83d\udc80",
                 "trace":{"n":1.50}}
                """;

        written(ReceivedEvent.read(body));

        assertThat(log().chain("abc", 0, Optional.empty(), 1).events())
                .extracting(Event::body)
                .containsExactly(body);
    }

    @Test
    void refusesWhatIsTooLargeAndTakesWhatJustFits() {
        assertThat(log().append(Bodies.padded("e-1", "abc", 400 * 1024)))
                .isInstanceOf(Appended.TooLarge.class);
        assertThat(log().lastSeq("abc")).isZero();

        written(Bodies.padded("e-1", "abc", 398 * 1024));
    }

    @Test
    void readsAChainPieceByPiece() {
        IntStream.rangeClosed(1, 7).forEach(i -> written(Bodies.takedown("e-" + i, "abc")));
        written(Bodies.takedown("other", "abcd"));

        List<Event> all = new ArrayList<>();
        Slice slice;
        do {
            long after = all.isEmpty() ? 0 : all.getLast().seq();
            slice = log().chain("abc", after, Optional.empty(), 3);
            all.addAll(slice.events());
        } while (slice.more());

        assertThat(all).extracting(Event::seq).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void saysThatThereIsMoreOnlyIfThereIs() {
        written(Bodies.takedown("e-1", "abc"));
        written(Bodies.takedown("e-2", "abc"));

        assertThat(log().chain("abc", 0, Optional.empty(), 1).more()).isTrue();
        assertThat(log().chain("abc", 0, Optional.empty(), 2).more()).isFalse();
        assertThat(log().chain("abc", 2, Optional.empty(), 2))
                .isEqualTo(new Slice(List.of(), false));
        assertThat(log().recorded(TimeKey.START, 1).more()).isTrue();
        assertThat(log().recorded(TimeKey.START, 2).more()).isFalse();
    }

    @Test
    void leavesOutOfAChainWhatWasRecordedEarlier() {
        written(Bodies.takedown("e-1", "abc"));
        clock.advance(Duration.ofSeconds(1));
        Event second = written(Bodies.takedown("e-2", "abc"));
        clock.advance(Duration.ofSeconds(1));
        Event third = written(Bodies.takedown("e-3", "abc"));

        assertThat(log().chain("abc", 0, Optional.of(second.recordedAt()), 10).events())
                .containsExactly(second, third);
    }

    @Test
    void readsAllChainsInTheOrderOfRecordingAcrossDays() {
        List<Event> events = new ArrayList<>();
        for (int day = 0; day < 5; day++) {
            for (String code : List.of("zzz", "abc", "mmm")) {
                clock.advance(Duration.ofHours(5));
                events.add(written(Bodies.takedown("e-%d-%s".formatted(day, code), code)));
            }
        }

        assertThat(recorded(TimeKey.START, 4)).isEqualTo(events);
        assertThat(recorded(TimeKey.from(events.get(7).recordedAt()), 4))
                .isEqualTo(events.subList(7, events.size()));
        assertThat(recorded(TimeKey.of(events.get(7)), 4))
                .isEqualTo(events.subList(8, events.size()));
    }

    @Test
    void keepsTheOrderOfAChainWithinAMillisecond() {
        List<Event> events =
                IntStream.rangeClosed(1, 12)
                        .mapToObj(i -> written(Bodies.takedown("e-" + (99 - i), "abc")))
                        .toList();

        assertThat(recorded(TimeKey.START, 5)).isEqualTo(events);
    }

    @Test
    void findsEventsOnTheFarSideOfManyEmptyDays() {
        Event early = written(Bodies.takedown("e-1", "abc"));
        clock.advance(Duration.ofDays(800));
        Event late = written(Bodies.takedown("e-2", "abc"));

        assertThat(recorded(TimeKey.START, 1)).containsExactly(early, late);
        assertThat(recorded(TimeKey.of(late), 1)).isEmpty();
    }

    @Test
    void endsASliceEarlyRatherThanFillTheMemory() {
        for (int i = 0; i < 12; i++) {
            written(Bodies.padded("e-" + i, "abc", 390 * 1024));
        }

        Slice slice = log().chain("abc", 0, Optional.empty(), 1_000);

        assertThat(slice.more()).isTrue();
        assertThat(slice.events()).hasSizeBetween(10, 11);
        assertThat(recorded(TimeKey.START, 1_000)).hasSize(12);
    }

    @Test
    void sweepsEverythingThatIsInIt() {
        Event one = written(Bodies.takedown("e-1", "abc"));
        Event two = written(Bodies.takedown("e-2", "abc"));
        Event other = written(Bodies.hostBlocked("e-3"));

        assertThat(swept(Optional.empty()))
                .containsExactlyInAnyOrder(
                        one,
                        two,
                        other,
                        marker("e-1", one),
                        marker("e-2", two),
                        marker("e-3", other))
                .containsSubsequence(one, two);
        assertThat(swept(Optional.of(":host")))
                .containsExactlyInAnyOrder(other, marker("e-3", other));
        assertThat(swept(Optional.of("xyz"))).isEmpty();
    }

    @Test
    void findsMarkersAndPlaces() {
        Event one = written(Bodies.takedown("e-1", "abc"));

        assertThat(log().markers(Set.of("e-1", "e-2")))
                .isEqualTo(Map.of("e-1", marker("e-1", one)));
        assertThat(log().present(Set.of(new Place("abc", 1), new Place("abc", 2))))
                .containsExactly(new Place("abc", 1));
    }

    /** Appends an event that must be written. */
    protected final Event written(ReceivedEvent event) {
        if (log().append(event) instanceof Appended.Written(Event written)) {
            return written;
        }
        throw new AssertionError("not written: " + event.eventId());
    }

    private List<Event> recorded(TimeKey after, int limit) {
        List<Event> all = new ArrayList<>();
        Slice slice = log().recorded(after, limit);
        all.addAll(slice.events());
        while (slice.more()) {
            slice = log().recorded(TimeKey.of(all.getLast()), limit);
            all.addAll(slice.events());
        }
        return all;
    }

    private List<LogEntry> swept(Optional<String> chain) {
        List<LogEntry> entries = new ArrayList<>();
        log().sweep(chain, entries::add);
        return entries;
    }

    private static Marker marker(String eventId, Event event) {
        return new Marker(eventId, event.chain(), event.seq(), ChainHash.sha256(event.body()));
    }
}
