package dev.headstone.stream;

import dev.headstone.audit.Acceptance;
import dev.headstone.audit.AuditDetail;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.AuditQueue;
import dev.headstone.audit.AuditType;
import dev.headstone.cache.Repair;
import dev.headstone.cache.Settler;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.stream.Parking.Parked;
import dev.headstone.stream.StreamEntry.Change;
import dev.headstone.stream.StreamEntry.Foreign;
import dev.headstone.table.VisitTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs from the table what the stream says has changed, and records it. Holds no state of its
 * own; safe for use by several threads.
 */
final class Backstop {
    private static final Logger log = LoggerFactory.getLogger(Backstop.class);

    private final Settler settler;
    private final AuditQueue audit;
    private final Parking parking;
    private final Comparisons comparisons;
    private final Optional<CountedVisits> visits;
    private final Map<Result, Counter> records = new EnumMap<>(Result.class);
    private final Counter tombstones;
    private final Counter failedTombstones;

    Backstop(
            Settler settler,
            AuditQueue audit,
            Parking parking,
            Comparisons comparisons,
            Optional<VisitTable> visits,
            MeterRegistry meters) {
        this.visits = visits.map(table -> new CountedVisits(table, meters));
        this.settler = settler;
        this.audit = audit;
        this.parking = parking;
        this.comparisons = comparisons;
        for (Result result : Result.values()) {
            records.put(
                    result,
                    Counter.builder("headstone.stream.records")
                            .description("Records of the stream, by what became of them")
                            .tag("result", result.label)
                            .register(meters));
        }
        this.tombstones = tombstones(meters, "confirmed");
        this.failedTombstones = tombstones(meters, "failed");
    }

    private static Counter tombstones(MeterRegistry meters, String result) {
        return Counter.builder("headstone.tombstones")
                .description("Tombstones that somebody tried to write")
                .tag("source", "stream")
                .tag("result", result)
                .register(meters);
    }

    /** What became of one record. */
    private enum Result {
        SETTLED("settled"),
        SKIPPED("skipped"),
        PARKED("parked"),
        FAILED("failed");

        private final String label;

        Result(String label) {
            this.label = label;
        }
    }

    /**
     * Applies entries until one fails. Lambda resumes a shard at the lowest sequence number
     * reported, so going on past a failure would only repeat work; what came before it stands.
     *
     * @return the entry to resume from, or empty when all are applied
     */
    Optional<StreamEntry> applyUntilFailure(List<StreamEntry> entries) {
        return entries.stream().filter(entry -> !applied(entry)).findFirst();
    }

    private boolean applied(StreamEntry entry) {
        Result result =
                switch (entry) {
                    case Foreign foreign ->
                            park(
                                    new Parked(
                                            foreign.sequenceNumber(),
                                            foreign.why(),
                                            foreign.record().get(),
                                            foreign.at()));
                    case Change change -> change.keepsItsVersion() ? Result.SKIPPED : apply(change);
                };
        Objects.requireNonNull(records.get(result)).increment();
        return result != Result.FAILED;
    }

    /** The event first: it must not be lost because the record was settled and then forgotten. */
    private Result apply(Change change) {
        Optional<AuditEvent> event = CommittedChange.eventOf(change);
        if (event.isPresent() && !accepted(event.get())) {
            return Result.FAILED;
        }
        return switch (settler.repair(change.code(), OfLive.DROP_OLDER, lastSeen(change))) {
            case Repair.Settled(Optional<Link> item) -> {
                if (item.isPresent() && item.get().isDead()) {
                    tombstones.increment();
                }
                comparisons.after(change.code(), changed(change));
                visits.ifPresent(counted -> counted.follow(change));
                yield Result.SETTLED;
            }
            case Repair.Unreadable(String why) ->
                    park(
                            new Parked(
                                    change.sequenceNumber(),
                                    why,
                                    change.record().get(),
                                    change.at()));
            case Repair.TableFailed(Exception cause) -> failed(change.code(), cause.toString());
            case Repair.CacheFailed(String why) -> {
                failedTombstones.increment();
                yield failed(change.code(), why);
            }
        };
    }

    private static Result failed(ShortCode code, String why) {
        log.atWarn()
                .addKeyValue("code", code)
                .addKeyValue("why", why)
                .log("record not settled, it will come again");
        return Result.FAILED;
    }

    /** To the millisecond if the image says so; the stream itself counts in seconds. */
    private static Instant changed(Change change) {
        return change.after().map(link -> link.lastChange().at()).orElse(change.at());
    }

    /** The newest stamp that the record knows of: what may go if the item is gone. */
    private static Optional<Stamp> lastSeen(Change change) {
        return change.after().or(change::before).map(Link::stamp);
    }

    private boolean accepted(AuditEvent event) {
        return switch (audit.send(event)) {
            case Acceptance.Accepted _ -> true;
            case Acceptance.NotAccepted(Exception cause) -> {
                log.atWarn()
                        .addKeyValue("event", event.eventId())
                        .addKeyValue("why", cause.toString())
                        .log("audit event not accepted, its record will come again");
                yield false;
            }
        };
    }

    private Result park(Parked parked) {
        if (!parking.park(parked) || !accepted(parkedEvent(parked))) {
            return Result.FAILED;
        }
        log.atError()
                .addKeyValue("sequence", parked.sequenceNumber().orElse("none"))
                .addKeyValue("why", parked.why())
                .log("record parked");
        return Result.PARKED;
    }

    /** Its id follows from the record, so that a record that comes again is audited once. */
    private static AuditEvent parkedEvent(Parked parked) {
        UUID id =
                UUID.nameUUIDFromBytes(
                        (parked.sequenceNumber().orElse("") + parked.record())
                                .getBytes(StandardCharsets.UTF_8));
        return AuditEvent.withoutLink(
                "parked." + id,
                AuditType.RECORD_PARKED,
                AuditOutcome.COMMITTED,
                "stream-consumer",
                Optional.of(parked.why()),
                parked.at(),
                AuditDetail.none());
    }
}
