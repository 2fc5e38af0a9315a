package dev.headstone.writer;

import dev.headstone.audit.AuditDetail;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.Trace;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.Repair;
import dev.headstone.cache.Settlement;
import dev.headstone.cache.Settler;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.writer.ChangeResult.AuditFailed;
import dev.headstone.writer.ChangeResult.Confirmed;
import dev.headstone.writer.ChangeResult.Forbidden;
import dev.headstone.writer.ChangeResult.InDoubt;
import dev.headstone.writer.ChangeResult.InvalidateFailed;
import dev.headstone.writer.ChangeResult.NoSuchLink;
import dev.headstone.writer.ChangeResult.NotMade;
import dev.headstone.writer.ChangeResult.Refused;
import dev.headstone.writer.ChangeResult.Superseded;
import dev.headstone.writer.ChangeResult.Unreadable;
import dev.headstone.writer.WriterMetrics.Tombstone;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes links so that a receipt means something: lease, conditional change of the table,
 * confirmed settlement of the cache, audit event accepted, receipt. Every step may be repeated, and
 * a repeated request goes on where the one before it failed.
 *
 * <p>Calls block, at most a little longer than {@link #DEADLINE}: no step begins after it but those
 * that tell how the change came out. Nothing is thrown for a table, a cache or a queue that is
 * down. Safe for use by several threads.
 */
public final class LinkChanges {
    /** After this long a request is not tried any further. */
    public static final Duration DEADLINE = Duration.ofSeconds(5);

    /** How often the table is asked for one request at the most, while others change the link. */
    static final int MOST_ATTEMPTS = 5;

    private static final Logger log = LoggerFactory.getLogger(LinkChanges.class);

    private final LinkTable table;
    private final LinkCache cache;
    private final Settler settler;
    private final AuditTrail audit;
    private final InstantSource clock;
    private final RandomIds ids;
    private final WriterMetrics metrics;

    LinkChanges(WriterPorts ports, WriterMetrics metrics) {
        table = ports.table();
        cache = ports.cache();
        settler = new Settler(ports.cache(), ports.table(), ports.clock(), DEADLINE);
        audit = new AuditTrail(ports.queue(), ports.clock());
        clock = ports.clock();
        ids = new RandomIds(ports.random());
        this.metrics = metrics;
    }

    /** Takes a link down. A repeated call by the same actor gets a receipt for the first one. */
    public ChangeResult takeDown(ShortCode code, Reason reason, Caller caller) {
        return change(code, new Wish.TakeDown(reason), caller, caller.isOperator());
    }

    /** Brings a dead link back that has not expired. */
    public ChangeResult restore(ShortCode code, Reason reason, Caller caller) {
        return change(code, new Wish.Restore(reason), caller, caller.isOperator());
    }

    /** Deactivates or reactivates a link, or alters its particulars. */
    public ChangeResult change(ShortCode code, ChangeRequest request, Caller caller) {
        return change(code, new Wish.Patch(request), caller, caller.mayCreate());
    }

    /** Writes a dead link's tombstone again, whoever ended the link. */
    public ChangeResult confirm(ShortCode code, Caller caller) {
        Run run = new Run(code, ChangeKind.CONFIRM, Optional.empty(), caller);
        return metrics.measured(
                ChangeKind.CONFIRM, () -> caller.isOperator() ? run.confirm() : run.forbid());
    }

    /**
     * Confirms a death that somebody made in the table who cannot reach the cache: the settlement,
     * the audit event in the name of the actor whom the item names, and the receipt. The cache
     * follows the table whatever comes out of it.
     */
    public ChangeResult confirmDeath(Death death) {
        return metrics.measured(ChangeKind.TAKEDOWN, () -> confirmMade(death));
    }

    private ChangeResult confirmMade(Death death) {
        ShortCode code = death.code();
        return switch (table.read(code)) {
            case TableRead.Found(Link link) when link.stamp().equals(death.stamp()) ->
                    inNameOf(link).settleAgain(link);
            case TableRead.Found(Link link) when link.stamp().isNewerThan(death.stamp()) ->
                    inNameOfNobody(code).overtaken(death, link.stamp());
            case TableRead.Found(Link link) -> inNameOfNobody(code).refuse(link, Ground.NOT_DEAD);
            case TableRead.Absent _ -> inNameOfNobody(code).gone(death);
            case TableRead.Unreadable(String why) -> inNameOfNobody(code).unreadable(why);
            case TableRead.Failed(Exception cause) ->
                    inNameOfNobody(code).tableFailed("read", cause).orElseGet(NotMade::new);
        };
    }

    private Run inNameOf(Link link) {
        LastChange change = link.lastChange();
        return new Run(
                link.code(),
                ChangeKind.TAKEDOWN,
                change.reason(),
                new Caller(change.by(), Role.OPERATOR));
    }

    private Run inNameOfNobody(ShortCode code) {
        return new Run(
                code,
                ChangeKind.TAKEDOWN,
                Optional.empty(),
                new Caller("invalidation", Role.READER));
    }

    /** Tells the audit log that {@code caller}'s role did not allow a change of that kind. */
    ChangeResult forbid(ShortCode code, ChangeKind kind, Caller caller) {
        Run run = new Run(code, kind, Optional.empty(), caller);
        return metrics.measured(kind, run::forbid);
    }

    private ChangeResult change(ShortCode code, Wish wish, Caller caller, boolean permitted) {
        Run run = new Run(code, wish.kind(), wish.reason(), caller);
        return metrics.measured(wish.kind(), () -> permitted ? run.carryOut(wish) : run.forbid());
    }

    /** One request while it is carried out. For one thread. */
    private final class Run {
        private final ShortCode code;
        private final ChangeKind kind;
        private final Optional<String> reason;
        private final Caller caller;
        private final Instant deadline = clock.instant().plus(DEADLINE);
        private final Set<String> tried = new HashSet<>();
        private LastChange next;
        private boolean inDoubt;

        Run(ShortCode code, ChangeKind kind, Optional<String> reason, Caller caller) {
            this.code = code;
            this.kind = kind;
            this.reason = reason;
            this.caller = caller;
            next = newChange();
        }

        private LastChange newChange() {
            return new LastChange(
                    now(),
                    caller.name(),
                    reason,
                    kind.newId(ids),
                    Trace.current().map(Trace::root));
        }

        ChangeResult carryOut(Wish wish) {
            for (int attempt = 0; attempt < MOST_ATTEMPTS && inTime(); attempt++) {
                Optional<ChangeResult> result = attempt(wish);
                if (result.isPresent()) {
                    return result.get();
                }
            }
            return inDoubt ? new InDoubt() : new NotMade();
        }

        /**
         * One round; empty if another may do better. The item is read before the lease is taken, so
         * that who may not change a link cannot take its lease from others either; the table is
         * consulted by the conditional change, under the lease.
         */
        private Optional<ChangeResult> attempt(Wish wish) {
            return switch (table.read(code)) {
                case TableRead.Found(Link link) -> decide(link, wish);
                case TableRead.Absent _ -> Optional.of(new NoSuchLink());
                case TableRead.Unreadable(String why) -> Optional.of(unreadable(why));
                case TableRead.Failed(Exception cause) -> tableFailed("read", cause);
            };
        }

        private Optional<ChangeResult> decide(Link link, Wish wish) {
            if (tried.contains(link.lastChange().id())) {
                return Optional.of(settleAgain(link)); // ours landed, only its reply was lost
            }
            return switch (Verdict.of(link, wish, caller, next)) {
                case Verdict.Make(Link after) -> make(link, after);
                case Verdict.Stands _ -> Optional.of(settleAgain(link));
                case Verdict.Refuse(Ground ground) -> Optional.of(refuse(link, ground));
                case Verdict.Forbid _ -> Optional.of(forbid(link));
            };
        }

        private Optional<ChangeResult> make(Link before, Link after) {
            Optional<Lease> lease = lease();
            Instant consulted = clock.instant();
            tried.add(next.id());
            return switch (table.change(before, after)) {
                case ChangeOutcome.Changed _ -> Optional.of(settle(lease, after, consulted));
                case ChangeOutcome.Conflict _ -> {
                    lease.ifPresent(held -> cache.settle(held, new Settlement.Release()));
                    next = newChange(); // one client token must not stand for two changes
                    yield Optional.empty();
                }
                case ChangeOutcome.Failed(Exception cause) -> {
                    inDoubt = true;
                    yield tableFailed("change", cause);
                }
            };
        }

        /** Without a cache the death comes first; that it is not confirmed turns out later. */
        private Optional<Lease> lease() {
            return switch (cache.forceLease(code)) {
                case LeaseAttempt.Taken(Lease lease) -> Optional.of(lease);
                case LeaseAttempt.Held _, LeaseAttempt.Unreachable _ -> Optional.empty();
            };
        }

        private ChangeResult settle(Optional<Lease> lease, Link committed, Instant consulted) {
            return lease.map(
                            held ->
                                    conclude(
                                            committed,
                                            settler.settle(held, committed, ofLive(), consulted)))
                    .orElseGet(() -> settleAgain(committed));
        }

        ChangeResult settleAgain(Link committed) {
            return conclude(
                    committed, settler.repair(code, ofLive(), Optional.of(committed.stamp())));
        }

        /** Who brings a link back also writes its record, so that the next click is a hit. */
        private OfLive ofLive() {
            return switch (kind) {
                case RESTORE, REACTIVATE -> OfLive.WRITE;
                case CREATE, TAKEDOWN, CONFIRM, DEACTIVATE, ALTER -> OfLive.DROP_OLDER;
            };
        }

        private ChangeResult conclude(Link committed, Repair repair) {
            return switch (repair) {
                case Repair.Settled(Optional<Link> item) ->
                        isLatest(committed, item)
                                ? confirmed(committed)
                                : superseded(committed, item);
                case Repair.Unreadable(String why) -> invalidateFailed(committed, why);
                case Repair.TableFailed _ ->
                        invalidateFailed(committed, "the table could not be asked");
                case Repair.CacheFailed(String why) -> invalidateFailed(committed, why);
            };
        }

        private boolean isLatest(Link committed, Optional<Link> item) {
            return item.map(Link::stamp).equals(Optional.of(committed.stamp()));
        }

        private ChangeResult confirmed(Link link) {
            countTombstone(link, Tombstone.CONFIRMED);
            Instant confirmedAt = now();
            AuditEvent success =
                    event(
                            AuditOutcome.SUCCESS,
                            link,
                            AuditDetail.none().with("change_id", link.lastChange().id()));
            if (!audit.accepts(success, deadline)) {
                return auditFailed(link);
            }
            return new Confirmed(
                    new Receipt(
                            code,
                            LinkState.of(link, confirmedAt),
                            link.version(),
                            link.lastChange().at(),
                            confirmedAt,
                            success.eventId()));
        }

        private ChangeResult superseded(Link committed, Optional<Link> item) {
            countTombstone(committed, Tombstone.SUPERSEDED);
            AuditDetail by =
                    AuditDetail.none()
                            .with(
                                    "superseded_by",
                                    item.map(Link::stamp).map(Stamp::text).orElse(""));
            return audit.accepts(event(AuditOutcome.SUPERSEDED, committed, by), deadline)
                    ? new Superseded(item)
                    : auditFailed(committed);
        }

        private ChangeResult invalidateFailed(Link committed, String why) {
            countTombstone(committed, Tombstone.FAILED);
            log.atError()
                    .addKeyValue("short_code", code)
                    .addKeyValue("version", committed.version())
                    .addKeyValue("kind", kind.word())
                    .addKeyValue("why", why)
                    .log("change stands, but the cache could not be confirmed");
            AuditDetail detail = AuditDetail.none().with("why", why);
            audit.accepts(event(AuditOutcome.INVALIDATE_FAILED, committed, detail), deadline);
            return new InvalidateFailed(committed, why);
        }

        /**
         * What is not in the log must not be reported. The event that says so is another one: the
         * first may still arrive.
         */
        private ChangeResult auditFailed(Link link) {
            log.atError()
                    .addKeyValue("short_code", code)
                    .addKeyValue("version", link.version())
                    .addKeyValue("kind", kind.word())
                    .log("outcome of a change was not accepted by the audit queue");
            if (inTime()) {
                audit.accepts(
                        event(AuditOutcome.AUDIT_FAILED, link, AuditDetail.none()),
                        clock.instant());
            }
            return new AuditFailed(Optional.of(link));
        }

        ChangeResult refuse(Link link, Ground ground) {
            return refusalIsRecorded(link, ground.wireName())
                    ? new Refused(link, ground)
                    : auditFailed(link);
        }

        private ChangeResult forbid(Link link) {
            return refusalIsRecorded(link, "forbidden") ? new Forbidden() : auditFailed(link);
        }

        /** The role alone decides; the link is looked up only for what the audit log says of it. */
        ChangeResult forbid() {
            return switch (table.read(code)) {
                case TableRead.Found(Link link) -> forbid(link);
                case TableRead.Absent _, TableRead.Unreadable _ -> new Forbidden();
                case TableRead.Failed(Exception cause) ->
                        tableFailed("read", cause).orElseGet(NotMade::new);
            };
        }

        private boolean refusalIsRecorded(Link link, String why) {
            AuditDetail detail = AuditDetail.none().with("why", why);
            return audit.accepts(event(AuditOutcome.REFUSED, link, detail), deadline);
        }

        /** The cache gets what the table says now; the death itself is history. */
        ChangeResult overtaken(Death death, Stamp by) {
            return switch (settler.repair(code, ofLive(), Optional.of(by))) {
                case Repair.Settled(Optional<Link> item) -> {
                    AuditDetail detail = AuditDetail.none().with("superseded_by", by.text());
                    AuditEvent event =
                            event(AuditOutcome.SUPERSEDED, death.epoch(), death.version(), detail);
                    yield audit.accepts(event, deadline)
                            ? new Superseded(item)
                            : new AuditFailed(item);
                }
                case Repair.Unreadable(String why) -> unreadable(why);
                case Repair.TableFailed(Exception cause) ->
                        tableFailed("read", cause).orElseGet(NotMade::new);
                case Repair.CacheFailed(String why) -> {
                    log.atError()
                            .addKeyValue("short_code", code)
                            .addKeyValue("why", why)
                            .log("cache could not be confirmed");
                    yield new NotMade();
                }
            };
        }

        /** Nothing may answer for it any more, in whatever version. */
        ChangeResult gone(Death death) {
            return switch (settler.repair(code, ofLive(), Optional.of(death.stamp()))) {
                case Repair.Settled _ -> new NoSuchLink();
                case Repair.Unreadable _, Repair.TableFailed _, Repair.CacheFailed _ ->
                        new NotMade();
            };
        }

        ChangeResult confirm() {
            return switch (table.read(code)) {
                case TableRead.Found(Link link) -> confirm(link);
                case TableRead.Absent _ -> new NoSuchLink();
                case TableRead.Unreadable(String why) -> unreadable(why);
                case TableRead.Failed(Exception cause) ->
                        tableFailed("read", cause).orElseGet(NotMade::new);
            };
        }

        private ChangeResult confirm(Link link) {
            if (!link.isDead()) {
                return refuse(link, Ground.NOT_DEAD);
            }
            return switch (settler.repair(code, ofLive(), Optional.of(link.stamp()))) {
                case Repair.Settled(Optional<Link> item) ->
                        item.map(this::confirmedIfDead).orElseGet(NoSuchLink::new);
                case Repair.Unreadable(String why) -> invalidateFailed(link, why);
                case Repair.TableFailed(Exception cause) -> {
                    tableFailed("read", cause);
                    yield invalidateFailed(link, "the table could not be asked");
                }
                case Repair.CacheFailed(String why) -> invalidateFailed(link, why);
            };
        }

        /** Whatever version it is by now: no receipt claims that its bearer ended the link. */
        private ChangeResult confirmedIfDead(Link link) {
            return link.isDead() ? confirmed(link) : refuse(link, Ground.NOT_DEAD);
        }

        private AuditEvent event(AuditOutcome outcome, Link link, AuditDetail detail) {
            return event(outcome, link.epoch(), link.version(), detail);
        }

        private AuditEvent event(
                AuditOutcome outcome, long epoch, long version, AuditDetail detail) {
            return AuditEvent.attempt(
                    ids.next("outcome"),
                    kind.auditType(),
                    outcome,
                    code,
                    epoch,
                    version,
                    caller.name(),
                    reason,
                    now(),
                    Trace.current()
                            .map(trace -> detail.with("trace_id", trace.root()))
                            .orElse(detail));
        }

        private void countTombstone(Link link, Tombstone result) {
            if (link.isDead()) {
                metrics.tombstone(kind, result);
            }
        }

        ChangeResult unreadable(String why) {
            log.atError()
                    .addKeyValue("short_code", code)
                    .addKeyValue("why", why)
                    .log("item is no link");
            return new Unreadable(why);
        }

        Optional<ChangeResult> tableFailed(String call, Exception cause) {
            log.atWarn()
                    .addKeyValue("short_code", code)
                    .addKeyValue("call", call)
                    .addKeyValue("cause", cause.toString())
                    .log("table did not answer");
            return Optional.empty();
        }

        private boolean inTime() {
            return clock.instant().isBefore(deadline);
        }

        private Instant now() {
            return clock.instant().truncatedTo(ChronoUnit.MILLIS);
        }
    }
}
