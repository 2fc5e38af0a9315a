package dev.headstone.writer;

import dev.headstone.audit.Trace;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.Repair;
import dev.headstone.cache.Settlement;
import dev.headstone.cache.Settler;
import dev.headstone.cache.Settler.OfLive;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Alive;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.writer.CreateResult.AliasTaken;
import dev.headstone.writer.CreateResult.Created;
import dev.headstone.writer.CreateResult.Forbidden;
import dev.headstone.writer.CreateResult.InDoubt;
import dev.headstone.writer.CreateResult.KeyReused;
import dev.headstone.writer.CreateResult.NotCreated;
import dev.headstone.writer.CreateResult.Rejected;
import dev.headstone.writer.CreateResult.TooLarge;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates links. The link, and the answer to its idempotency key if it has one, come into being in
 * one transaction; the link's record is then written into the cache, ahead of the first click.
 *
 * <p>That writing may fail without harm. Unknown codes are never cached, so nothing hides a new
 * link but a tombstone of an earlier link with the same code. A code is free only once the table
 * has forgotten that link, which it does not before its {@code purge_at}, and no tombstone lies
 * longer than to there (a second more, since no key lives shorter). Should one lie there all the
 * same, because somebody removed the item by hand, the new record is newer by its stamp, and so is
 * what the stream's consumer settles.
 *
 * <p>Calls block, at most a little longer than {@link #DEADLINE}. Nothing is thrown for a table or
 * a cache that is down. Safe for use by several threads.
 */
public final class LinkCreation {
    /** After this long a request is not tried any further. */
    public static final Duration DEADLINE = Duration.ofSeconds(5);

    /** How often the table is asked for one request at the most. */
    static final int MOST_ATTEMPTS = 5;

    private static final Logger log = LoggerFactory.getLogger(LinkCreation.class);

    private final LinkTable table;
    private final LinkCache cache;
    private final Settler settler;
    private final RequestBodies bodies;
    private final LinkJson json;
    private final CodeGenerator codes;
    private final RandomIds ids;
    private final InstantSource clock;
    private final WriterMetrics metrics;

    LinkCreation(WriterPorts ports, RequestBodies bodies, LinkJson json, WriterMetrics metrics) {
        table = ports.table();
        cache = ports.cache();
        settler = new Settler(ports.cache(), ports.table(), ports.clock(), DEADLINE);
        this.bodies = bodies;
        this.json = json;
        codes = new CodeGenerator(ports.random());
        ids = new RandomIds(ports.random());
        clock = ports.clock();
        this.metrics = metrics;
    }

    /**
     * Creates what {@code body} asks for, or answers as before if the key was used for the same
     * body. A repeated request is recognized before its body is read: what it asked for may be in
     * the past by now.
     */
    public CreateResult create(byte[] body, Optional<IdempotencyKey> key, Caller caller) {
        if (!caller.mayCreate()) {
            return new Forbidden();
        }
        if (body.length > RequestBodies.MAX_BYTES) {
            return new TooLarge();
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Optional<KeyUse> use = key.map(given -> KeyUse.of(given, caller, body));
        return use.flatMap(used -> recalled(used, now))
                .orElseGet(() -> create(body, use, caller, now));
    }

    private Optional<CreateResult> recalled(KeyUse use, Instant now) {
        return switch (table.recall(use.id())) {
            case IdempotencyRead.Stored(Idempotency stored) -> repeated(stored, use, now);
            case IdempotencyRead.Unused _ -> Optional.empty();
            case IdempotencyRead.Failed(Exception cause) -> {
                warn("recall", cause);
                yield Optional.of(new NotCreated());
            }
        };
    }

    /** The answer that is stored, or empty if it has run out. */
    private Optional<CreateResult> repeated(Idempotency stored, KeyUse use, Instant now) {
        if (!stored.until().isAfter(now)) {
            return Optional.empty();
        }
        return Optional.of(
                use.isOfSameRequest(stored)
                        ? new Created(LinkJson.codeIn(stored.answer()), stored.answer())
                        : new KeyReused());
    }

    private CreateResult create(byte[] body, Optional<KeyUse> use, Caller caller, Instant now) {
        return switch (bodies.create(body, now)) {
            case Reading.Valid<CreateRequest>(CreateRequest request) ->
                    new Run(request, use, caller, now).carryOut();
            case Reading.Rejected<CreateRequest>(var field, String why) ->
                    new Rejected(Optional.ofNullable(field), why);
            case Reading.TooLarge<CreateRequest> _ -> new TooLarge();
        };
    }

    private static void warn(String call, Exception cause) {
        log.atWarn()
                .addKeyValue("call", call)
                .addKeyValue("cause", cause.toString())
                .log("table did not answer");
    }

    /** One request while it is carried out. For one thread. */
    private final class Run {
        private final CreateRequest request;
        private final Optional<KeyUse> use;
        private final Caller caller;
        private final Instant now;
        private final Instant deadline;
        private Link link;
        private boolean inDoubt;

        Run(CreateRequest request, Optional<KeyUse> use, Caller caller, Instant now) {
            this.request = request;
            this.use = use;
            this.caller = caller;
            this.now = now;
            deadline = now.plus(DEADLINE);
            link = candidate();
        }

        /** The link that is wanted, under its alias or under another code each time. */
        private Link candidate() {
            Optional<String> owner =
                    caller.role() == Role.OWNER ? Optional.of(caller.name()) : request.owner();
            return new Link(
                    request.alias().orElseGet(codes::next),
                    Optional.of(request.destination().url()),
                    Optional.of(request.destination().host()),
                    new Alive(),
                    1,
                    now,
                    new LastChange(
                            now,
                            caller.name(),
                            Optional.empty(),
                            ChangeKind.CREATE.newId(ids),
                            Trace.current().map(Trace::root)),
                    request.expiresAt(),
                    Freshness.purgeOfLive(request.expiresAt()),
                    owner,
                    request.tags(),
                    request.visitLimit(),
                    0);
        }

        CreateResult carryOut() {
            for (int attempt = 0; attempt < MOST_ATTEMPTS && inTime(); attempt++) {
                Optional<CreateResult> result = isAliasFree() ? put() : look(Optional.empty());
                if (result.isPresent()) {
                    return result.get();
                }
            }
            return inDoubt ? new InDoubt() : new NotCreated();
        }

        private boolean inTime() {
            return clock.instant().isBefore(deadline);
        }

        /**
         * The lease of an alias that is not free is nobody's to take: it has a link, and clicks.
         */
        private boolean isAliasFree() {
            return request.alias().isEmpty() || table.read(link.code()) instanceof TableRead.Absent;
        }

        private Optional<CreateResult> put() {
            Optional<Lease> lease = lease();
            Instant consulted = clock.instant();
            String answer = json.created(link, now);
            return switch (table.create(link, use.map(used -> used.answered(answer, now)))) {
                case CreateOutcome.Created _ -> Optional.of(created(lease, consulted));
                case CreateOutcome.CodeTaken _ -> look(lease);
                case CreateOutcome.KeyTaken _ -> {
                    release(lease);
                    yield use.flatMap(used -> recalled(used, now));
                }
                case CreateOutcome.Failed(Exception cause) -> {
                    warn("create", cause);
                    inDoubt = true;
                    yield look(lease);
                }
            };
        }

        private Optional<Lease> lease() {
            return switch (cache.forceLease(link.code())) {
                case LeaseAttempt.Taken(Lease lease) -> Optional.of(lease);
                case LeaseAttempt.Held _, LeaseAttempt.Unreachable _ -> Optional.empty();
            };
        }

        private void release(Optional<Lease> lease) {
            lease.ifPresent(held -> cache.settle(held, new Settlement.Release()));
        }

        /**
         * Sees what lies under the code: our own link, if only a reply was lost; nothing yet, and
         * the next round tries again; or somebody else's, and a generated code is exchanged.
         */
        private Optional<CreateResult> look(Optional<Lease> lease) {
            Instant consulted = clock.instant();
            return switch (table.read(link.code())) {
                case TableRead.Found(Link item) when isOurs(item) ->
                        Optional.of(created(lease, consulted));
                case TableRead.Found(Link item) -> {
                    release(lease);
                    yield taken(LinkState.of(item, clock.instant()) != LinkState.ACTIVE);
                }
                case TableRead.Unreadable _ -> {
                    release(lease);
                    yield taken(false);
                }
                case TableRead.Absent _ -> {
                    release(lease);
                    yield Optional.empty();
                }
                case TableRead.Failed(Exception cause) -> {
                    warn("read", cause);
                    yield Optional.empty();
                }
            };
        }

        private boolean isOurs(Link item) {
            return item.lastChange().id().equals(link.lastChange().id());
        }

        private Optional<CreateResult> taken(boolean quarantined) {
            if (request.alias().isPresent()) {
                return Optional.of(new AliasTaken(quarantined));
            }
            link = candidate();
            inDoubt = false; // under the code before there is somebody else's, so ours never came
            return Optional.empty();
        }

        private CreateResult created(Optional<Lease> lease, Instant consulted) {
            Repair priming =
                    lease.map(held -> settler.settle(held, link, OfLive.WRITE, consulted))
                            .orElseGet(() -> new Repair.CacheFailed("the cache does not answer"));
            metrics.priming(priming);
            return new Created(link.code(), json.created(link, now));
        }
    }
}
