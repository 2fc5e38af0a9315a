package dev.headstone.proof.campaign;

import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.redirect.RedirectAnswer;
import dev.headstone.redirect.RedirectRequest;
import dev.headstone.redirect.Visitor;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.writer.Caller;
import dev.headstone.writer.ControlApi;
import dev.headstone.writer.ControlRequest;
import dev.headstone.writer.ControlResponse;
import dev.headstone.writer.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * The life of one link under random faults: a create, clicks, changes with their receipts, later
 * clicks, and what the promises say about each of them. What was reported of version {@code n}
 * binds every click that begins later: it may be answered from version {@code n} or a later one,
 * never from an older.
 */
final class Trial {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> HEADERS = Map.of("Content-Type", "application/json");
    private static final int[] RATES = {0, 5, 20, 60};
    private static final int MOST_TRIES = 4;
    private static final long DRAIN_SECONDS = 60;
    private static final long NEXT_TRY_MILLIS = 25;
    private static final String[] GARBAGE = {
        "",
        "{",
        "null",
        "{\"state\":\"active\"}",
        "\u0000\u00ff",
        "{\"state\":\"deleted\",\"stamp\":\"9\"}"
    };

    private final long seed;
    private final SplittableRandom random;
    private final Lane lane;
    private final Station station;
    private final Tally tally;
    private final TrialTable table = new TrialTable();
    private final Ledger ledger = new Ledger();
    private final List<String> story = new ArrayList<>();
    private final List<Late> late = new ArrayList<>();
    private final List<Stall> stalls = new ArrayList<>();
    private final List<Joined> joined = new ArrayList<>();
    private final String destination;
    private final int rate;
    private Optional<ShortCode> code = Optional.empty();
    private boolean calm;
    private int settled;
    private int changes;
    private volatile long reported;

    /** A write that is on its way still. */
    private record Late(String whose, Runnable write) {}

    /** A click whose answer is not there yet. */
    private record Joined(long from, CompletableFuture<RedirectAnswer> answer) {}

    /** What an operator may want. */
    private enum Wish {
        TAKEDOWN("POST", "/takedown", "{\"reason\":\"phishing\"}"),
        RESTORE("POST", "/restore", "{\"reason\":\"a mistake\"}"),
        CONFIRM("POST", "/confirm", "{}"),
        DEACTIVATE("PATCH", "", "{\"state\":\"deactivated\"}"),
        REACTIVATE("PATCH", "", "{\"state\":\"active\"}"),
        RETAG("PATCH", "", "");

        private final String method;
        private final String suffix;
        private final String body;

        Wish(String method, String suffix, String body) {
            this.method = method;
            this.suffix = suffix;
            this.body = body;
        }
    }

    Trial(long seed, Lane lane, Station station, Tally tally) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.lane = lane;
        this.station = station;
        this.tally = tally;
        this.destination = "https://example.com/" + Long.toUnsignedString(seed, 36);
        this.rate = RATES[random.nextInt(RATES.length)];
    }

    SplittableRandom random() {
        return random;
    }

    TrialTable table() {
        return table;
    }

    /** What happened, in order; also what happened to everybody. */
    void note(String step) {
        synchronized (story) {
            story.add(step);
        }
    }

    /** Runs it to its end; what was found is in the tally. */
    void run() {
        try {
            live();
            end();
        } catch (RuntimeException | Error e) {
            found(Damage.STUCK, "threw " + e);
        } finally {
            code.ifPresent(station::leaves);
        }
        tally.trial();
    }

    // ---- the plot

    private void live() {
        create();
        if (code.isEmpty()) {
            return;
        }
        clicks(random.nextInt(2));
        maybeStall();
        meanwhile();
        wish(lane.desk(), random.nextInt(8) == 0 ? Wish.DEACTIVATE : Wish.TAKEDOWN);
        clicks(1 + random.nextInt(2));
        int more = random.nextInt(8) / 6;
        for (int i = 0; i < more; i++) {
            meanwhile();
            maybeStall();
            wish(lane.desk(), next());
            clicks(1);
        }
    }

    private Wish next() {
        boolean dead = table.item().filter(Link::isDead).isPresent();
        int draw = random.nextInt(16);
        if (draw < 2) {
            return Wish.RETAG;
        }
        if (draw < 4) {
            return Wish.CONFIRM;
        }
        if (dead) {
            return draw < 7 ? Wish.REACTIVATE : Wish.RESTORE;
        }
        return draw < 7 ? Wish.DEACTIVATE : Wish.TAKEDOWN;
    }

    private void end() {
        calm = random.nextInt(4) > 0;
        if (random.nextInt(4) == 0) {
            drain();
        }
        releaseAll();
        landAll();
        calm = true;
        drain();
        reported = Math.max(reported, table.latest());
        if (random.nextInt(8) == 0) {
            evict(Fault.EVICTION);
        }
        if (code.isPresent()) {
            click(lane.clicks(), true);
            if (random.nextInt(4) == 0) {
                click(lane.otherClicks(), true);
            }
        }
        ledger.fault(table.committedEvents()).ifPresent(why -> found(Damage.EVENT_LOST, why));
    }

    /** What else goes on between two steps of the plot. */
    private void meanwhile() {
        station.linger(random, this);
        if (random.nextInt(3) == 0) {
            deliver();
        }
        if (!late.isEmpty() && random.nextInt(3) == 0) {
            land(late.removeFirst());
        }
        if (!stalls.isEmpty() && random.nextInt(3) == 0) {
            release(stalls.remove(random.nextInt(stalls.size())));
        }
        disturb("nobody", "does anything");
    }

    // ---- requests

    private void create() {
        boolean alias = random.nextBoolean();
        String body =
                alias
                        ? "{\"long_url\":\"%s\",\"alias\":\"%s\"}"
                                .formatted(destination, "trial-" + Long.toUnsignedString(seed, 36))
                        : "{\"long_url\":\"%s\"}".formatted(destination);
        if (alias) {
            appears(new ShortCode("trial-" + Long.toUnsignedString(seed, 36)));
        }
        Map<String, String> headers = new HashMap<>(HEADERS);
        headers.put("Idempotency-Key", Long.toUnsignedString(seed, 36));
        for (int tries = 0; tries < MOST_TRIES && reported == 0; tries++) {
            calm = tries == MOST_TRIES - 1;
            create(lane.desk(), body, headers);
        }
        calm = false;
        if (table.latest() == 0) {
            code.ifPresent(station::leaves);
            code = Optional.empty();
        }
    }

    private void create(Lane.Desk desk, String body, Map<String, String> headers) {
        mayDie(desk.actor());
        Optional<ControlResponse> answer =
                desk.actor()
                        .act(
                                () ->
                                        desk.api()
                                                .answer(
                                                        new ControlRequest(
                                                                "POST",
                                                                ControlApi.LINKS,
                                                                headers,
                                                                bytes(body)),
                                                        caller(desk)));
        answer.ifPresent(
                response -> {
                    note(desk.actor() + " creates the link: " + response.status());
                    if (response.status() == 201) {
                        reports(1);
                    }
                });
    }

    /** Asks for it, and again while there is no receipt. */
    private void wish(Lane.Desk desk, Wish wish) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            if (request(desk, wish) < 500) {
                return;
            }
            meanwhile();
        }
    }

    /** The status of the answer, 599 if there was none. */
    private int request(Lane.Desk desk, Wish wish) {
        if (code.isEmpty()) {
            return 404;
        }
        if (wish == Wish.TAKEDOWN) {
            tally.takedown();
        }
        String body = wish == Wish.RETAG ? "{\"tags\":[\"t" + changes++ + "\"]}" : wish.body;
        String path = ControlApi.LINKS + "/" + code.get().value() + wish.suffix;
        mayDie(desk.actor());
        Optional<ControlResponse> answer =
                desk.actor()
                        .act(
                                () ->
                                        desk.api()
                                                .answer(
                                                        new ControlRequest(
                                                                wish.method,
                                                                path,
                                                                HEADERS,
                                                                bytes(body)),
                                                        caller(desk)));
        if (answer.isEmpty()) {
            return 599;
        }
        answered(desk.actor(), wish, answer.get());
        return answer.get().status();
    }

    private void answered(Actor actor, Wish wish, ControlResponse response) {
        JsonNode body = json(response.body());
        String outcome = body.path("outcome").asText();
        note(
                actor
                        + ": "
                        + wish
                        + " "
                        + response.status()
                        + " "
                        + outcome
                        + (response.status() == 200 ? " v" + body.path("version").asLong() : ""));
        if (response.status() == 200) {
            receipt(actor, body);
            return;
        }
        AuditOutcome told =
                switch (outcome) {
                    case "superseded" -> AuditOutcome.SUPERSEDED;
                    case "refused" -> AuditOutcome.REFUSED;
                    case "invalidate_failed" ->
                            actor.queueFailed() ? null : AuditOutcome.INVALIDATE_FAILED;
                    default -> null;
                };
        if (told != null) {
            Ledger.faultOf(actor.stored(), told, Optional.empty())
                    .ifPresent(why -> found(Damage.EVENT_LOST, why));
        }
    }

    private void receipt(Actor actor, JsonNode body) {
        Ledger.faultOf(
                        actor.stored(),
                        AuditOutcome.SUCCESS,
                        Optional.of(body.path("event_id").asText()))
                .ifPresent(why -> found(Damage.EVENT_LOST, why));
        reports(body.path("version").asLong());
    }

    private void reports(long version) {
        tally.receipt();
        reported = Math.max(reported, version);
    }

    private static Caller caller(Lane.Desk desk) {
        return new Caller(desk.actor().toString(), Role.OPERATOR);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer that is no JSON", e);
        }
    }

    // ---- clicks

    private void clicks(int count) {
        for (int i = 0; i < count; i++) {
            click(random.nextInt(5) == 0 ? lane.otherClicks() : lane.clicks(), false);
        }
    }

    private void click(Lane.Clicks clicks, boolean last) {
        long from = reported;
        if (clicks.actor().isBusy()) {
            join(clicks);
            return;
        }
        if (!last) {
            mayDie(clicks.actor());
        }
        clicks.actor()
                .act(() -> ask(clicks).join())
                .ifPresent(answer -> judge(clicks.actor(), answer, from, last));
    }

    /** A click in a process that is busy with another one for the same link. */
    private void join(Lane.Clicks clicks) {
        if (joined.isEmpty()) {
            joined.add(new Joined(reported, new CompletableFuture<>()));
            Joined click = joined.getFirst();
            try {
                var _ =
                        ask(clicks)
                                .whenComplete(
                                        (answer, failure) -> {
                                            if (failure == null) {
                                                click.answer().complete(answer);
                                            }
                                        });
            } catch (Died _) {
                // the process died under both
            }
        }
    }

    private CompletableFuture<RedirectAnswer> ask(Lane.Clicks clicks) {
        return clicks.service()
                .answer(new RedirectRequest(code.orElseThrow().value(), false, Visitor.UNKNOWN))
                .toCompletableFuture();
    }

    private void judge(Actor actor, RedirectAnswer answer, long from, boolean last) {
        tally.click();
        note(actor + ": " + answer.status() + " (reported: v" + from + ")");
        switch (answer.status()) {
            case 302 -> {
                if (!table.was(true, from)) {
                    found(
                            Damage.DEAD_SERVED,
                            "v" + from + " was reported, and " + actor + " led on");
                } else if (!answer.location().equals(Optional.of(destination))) {
                    found(Damage.LIVE_HIDDEN, actor + " led elsewhere");
                }
            }
            case 404 -> {
                if (from > 0 && !table.was(false, from)) {
                    found(
                            Damage.LIVE_HIDDEN,
                            "v" + from + " was reported, and " + actor + " found nothing");
                }
            }
            default -> {
                if (last) {
                    found(Damage.LIVE_HIDDEN, actor + " got " + answer.status() + " in the end");
                }
            }
        }
    }

    // ---- the stream

    private void deliver() {
        if (lane.consumer().actor().isBusy()) {
            return;
        }
        int first = settled;
        if (settled > 0 && !calm && random.nextInt(4) == 0) {
            first = random.nextInt(settled);
            befell(Fault.REDELIVERY, "records from " + (first + 1) + " on are delivered again");
        }
        List<StreamRecord> records = table.stream(first);
        if (records.isEmpty()) {
            return;
        }
        Actor actor = lane.consumer().actor();
        mayDie(actor);
        Optional<StreamsEventResponse> response =
                actor.act(
                        () ->
                                lane.consumer()
                                        .handler()
                                        .handleRequest(StreamRecord.batch(records), null));
        response.ifPresent(answer -> delivered(answer, records.getLast().sequence()));
    }

    private void delivered(StreamsEventResponse response, int last) {
        int done =
                response.getBatchItemFailures().isEmpty()
                        ? last
                        : Integer.parseInt(
                                        response.getBatchItemFailures()
                                                .getFirst()
                                                .getItemIdentifier())
                                - 1;
        settled = Math.max(settled, done);
        note("the consumer has settled records up to " + settled);
    }

    private void drain() {
        releaseConsumer();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
        while (!table.stream(settled).isEmpty()) {
            int before = settled;
            deliver();
            if (settled == before) {
                if (System.nanoTime() - end > 0) {
                    found(Damage.STUCK, "the stream is not settled in " + DRAIN_SECONDS + " s");
                    return;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(NEXT_TRY_MILLIS));
            }
        }
    }

    // ---- faults

    /** Whether this fault strikes here; if so, it is counted and told. */
    boolean strikes(Fault fault, String whom) {
        if (calm || random.nextInt(1_000) >= rate) {
            return false;
        }
        befell(fault, whom + ": " + fault.words());
        return true;
    }

    /** Counts and tells what went wrong. */
    void befell(Fault fault, String how) {
        tally.injected(fault);
        note(how);
    }

    private void mayDie(Actor actor) {
        if (!calm && random.nextInt(1_000) < rate * 2) {
            actor.diesAt(1 + random.nextInt(6));
        }
    }

    /** What may happen between two calls. */
    void disturb(String whom, String call) {
        if (calm || code.isEmpty() || random.nextInt(1_000) >= rate * 2) {
            return;
        }
        switch (random.nextInt(6)) {
            case 0 -> evict(Fault.EVICTION);
            case 1 -> sabotage(Fault.LEASE_LOST, key -> station.saboteur().loseLease(key));
            case 2 -> {
                String garbage = GARBAGE[random.nextInt(GARBAGE.length)];
                sabotage(Fault.GARBAGE, key -> station.saboteur().overwrite(key, garbage));
            }
            case 3 -> {
                int type = random.nextInt(Saboteur.TYPES);
                sabotage(Fault.FOREIGN_TYPE, key -> station.saboteur().replace(key, type));
            }
            default -> intrude(whom, call);
        }
    }

    private void evict(Fault fault) {
        sabotage(fault, key -> station.saboteur().evict(key));
    }

    private void sabotage(Fault fault, Predicate<ShortCode> deed) {
        if (code.isPresent() && deed.test(code.get())) {
            befell(fault, fault.words());
        }
    }

    private void intrude(String whom, String call) {
        befell(Fault.INTRUSION, "before " + whom + " " + call + ", somebody comes in between:");
        switch (random.nextInt(5)) {
            case 0 -> {
                if (!lane.otherDesk().actor().isBusy()) {
                    int _ = request(lane.otherDesk(), next());
                }
            }
            case 1, 2 -> {
                if (!lane.otherClicks().actor().isBusy()) {
                    click(lane.otherClicks(), false);
                }
            }
            default -> deliver();
        }
    }

    private void maybeStall() {
        int draw = random.nextInt(8);
        if (draw < 2 && !lane.otherClicks().actor().isBusy()) {
            stall(lane.otherClicks().actor(), () -> click(lane.otherClicks(), false));
        } else if (draw == 2 && !lane.otherDesk().actor().isBusy()) {
            Wish wish = next();
            stall(
                    lane.otherDesk().actor(),
                    () -> {
                        int _ = request(lane.otherDesk(), wish);
                    });
        } else if (draw == 3 && !lane.consumer().actor().isBusy()) {
            stall(lane.consumer().actor(), this::deliver);
        }
    }

    private void stall(Actor actor, Runnable deed) {
        actor.stallsAt(1 + random.nextInt(5));
        Stall stall =
                Stall.of(
                        actor,
                        () -> {
                            try {
                                deed.run();
                            } catch (RuntimeException | Error e) {
                                found(Damage.STUCK, actor + " threw " + e);
                            }
                        });
        stalls.add(stall);
        stall.start();
        if (!actor.isBusy()) {
            stalls.remove(stall); // it was over before that call
        }
    }

    /** On the actor's own thread. */
    void stall(Actor actor, String how) {
        for (Stall stall : stalls) {
            if (stall.actor() == actor) {
                befell(Fault.STALL, how);
                stall.stand();
                return;
            }
        }
    }

    private void release(Stall stall) {
        note(stall.actor() + " goes on");
        stall.release();
        if (stall.actor() == lane.otherClicks().actor()) {
            judgeJoined();
        }
    }

    private void judgeJoined() {
        for (Joined click : joined) {
            if (click.answer().isDone()) {
                judge(lane.otherClicks().actor(), click.answer().join(), click.from(), false);
            }
        }
        joined.clear();
    }

    private void releaseConsumer() {
        for (Stall stall : List.copyOf(stalls)) {
            if (stall.actor() == lane.consumer().actor()) {
                stalls.remove(stall);
                release(stall);
            }
        }
    }

    private void releaseAll() {
        while (!stalls.isEmpty()) {
            release(stalls.removeFirst());
        }
    }

    /** The write is on its way, and its sender no longer waits. */
    void landsLater(String whose, Runnable write) {
        late.add(new Late(whose, write));
    }

    private void land(Late write) {
        note("a late write of " + write.whose() + " lands");
        write.write().run();
    }

    private void landAll() {
        while (!late.isEmpty()) {
            land(late.removeFirst());
        }
    }

    // ---- what the actors' ports lead to

    void stores(AuditEvent event) {
        ledger.store(event);
    }

    CreateOutcome creates(Link link, Optional<Idempotency> idempotency) {
        if (code.isEmpty() && !appears(link.code())) {
            return new CreateOutcome.CodeTaken();
        }
        if (!code.equals(Optional.of(link.code()))) {
            code.ifPresent(station::leaves);
            code = Optional.empty();
            return creates(link, idempotency);
        }
        CreateOutcome outcome = table.create(link, idempotency);
        note("the table: " + outcome.getClass().getSimpleName() + " v1");
        return outcome;
    }

    ChangeOutcome changes(String whose, Link before, Link after) {
        ChangeOutcome outcome = table.change(before, after);
        note(
                "the table, for "
                        + whose
                        + ": "
                        + outcome.getClass().getSimpleName()
                        + (after.isDead() ? " dead v" : " live v")
                        + after.version());
        return outcome;
    }

    private boolean appears(ShortCode wanted) {
        boolean free = station.enters(wanted, table);
        if (free) {
            code = Optional.of(wanted);
        }
        return free;
    }

    private void found(Damage damage, String what) {
        note("FOUND: " + damage.words() + ": " + what);
        synchronized (story) {
            tally.found(new Finding(damage, seed, what, story));
        }
    }
}
