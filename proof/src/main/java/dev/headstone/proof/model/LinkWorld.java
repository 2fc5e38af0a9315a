package dev.headstone.proof.model;

import dev.headstone.audit.Acceptance;
import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRun;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.MarkOutcome;
import dev.headstone.cache.NodeView;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.link.Link;
import dev.headstone.proof.explore.StateSpace;
import dev.headstone.proof.model.Actor.Start;
import dev.headstone.proof.model.Rules.Off;
import dev.headstone.proof.model.Scripted.Arrival;
import dev.headstone.proof.model.Setup.Trait;
import dev.headstone.proof.script.MemoryRedis.Entry;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.DeathPage;
import dev.headstone.table.DeathPage.Death;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One link's world: each step is one call of a port by one actor, or one fault. Whoever does not
 * step stalls; nothing says for how long, so that every pause and every death of a process is among
 * what is explored. For one thread.
 *
 * <p>A state is a row of fields of 16 bits each: the item, the stream, the nodes of the cache,
 * commands on their way, what has been reported, time and run, how many faults are left, and for
 * each actor its history.
 */
final class LinkWorld implements StateSpace {
    /** When everything happens, unless the setup has times of its own. */
    static final Instant START = Instant.parse("2026-12-01T00:00:00Z");

    /** The history of an actor that has ended. */
    static final int DONE = 0xFFFF;

    private static final int ITEM = 0;
    private static final int STREAM = 1;
    private static final int PRIMARY = 2;
    private static final int REPLICA = 3;
    private static final int SNAPSHOT = 4;
    private static final int OLD_PRIMARY = 5;
    private static final int ON_THEIR_WAY = 6;
    private static final int FACTS = 7;
    private static final int SCENE = 8;
    private static final int FAULTS = 9;
    private static final int FIRST_ACTOR = 10;

    /** Of the facts: that what the item is now was reported. */
    private static final int REPORTED = 1;

    /** Of the facts: the first of the bits that say which clicks came after that. */
    private static final int CLICK = 1;

    private static final int VISITS_SHIFT = 8;
    private static final String RUN = "run-";
    private static final int RUN_SHIFT = 8;
    private static final int RUN_MASK = 0xF;

    /** Of the scene: that somebody may have seen this run's node without any key. */
    private static final int SEEN_EMPTY = 1 << 12;

    private static final int TIME_MASK = 0xFF;
    private static final int MOST_STREAM = 8;

    /** What was done to the item, as numbers of items. */
    private record Log(List<Integer> items) {
        private Log {
            items = List.copyOf(items);
        }

        private Log and(int item) {
            List<Integer> more = new ArrayList<>(items);
            more.add(item);
            return new Log(more);
        }
    }

    /** Commands that were sent and may still land, as numbers of calls, in order. */
    private record Way(List<Integer> calls) {
        private Way {
            calls = List.copyOf(calls);
        }

        private Way and(int call) {
            List<Integer> more = new ArrayList<>(calls);
            more.add(call);
            more.sort(null);
            return new Way(more);
        }

        private Way without(int index) {
            List<Integer> less = new ArrayList<>(calls);
            less.remove(/* index */ index);
            return new Way(less);
        }
    }

    private final Setup setup;
    private final Numbers<Object> answers = new Numbers<>("answers", 1 << 15);
    private final Numbers<Call> calls = new Numbers<>("calls", 1 << 16);
    private final Numbers<Optional<Link>> items = new Numbers<>("items", 1 << 16);
    private final Numbers<Log> logs = new Numbers<>("logs of the table", 1 << 16);
    private final Numbers<Way> ways = new Numbers<>("sets of late commands", 1 << 16);
    private final CacheNodes nodes;
    private final Actors actors;
    private final int fields;
    private final boolean replica;
    private final boolean snapshot;
    private final boolean isolated;
    private final boolean observes;
    private final boolean trusts;
    private final long[] times;

    private final int unavailable;
    private final int unreachable;
    private final int held;
    private final int unknown;
    private final int readFailed;
    private final int changed;
    private final int conflict;
    private final int changeFailed;
    private final int created;
    private final int taken;
    private final int createFailed;
    private final int claimed;
    private final int notClaimed;
    private final int claimFailed;
    private final int accepted;
    private final int marked;
    private final int notObserved;
    private final int notAccepted;

    /** The state that is expanded, and the one that comes of it. */
    private final int[] from;

    private final int[] to;
    private final long[] packed;
    private int broken;
    private @Nullable Steps steps;
    private @Nullable List<Told> told;
    private String story = "";

    LinkWorld(Setup setup) {
        this.setup = setup;
        times = setup.times().stream().mapToLong(Instant::toEpochMilli).toArray();
        replica = setup.mostOf(Fault.FAILOVER) > 0;
        snapshot = setup.mostOf(Fault.RESTART) > 0;
        isolated = setup.has(Trait.ISOLATED_PRIMARY);
        observes = setup.has(Trait.PROCESSES_OBSERVE);
        trusts = !setup.rules().off().contains(Off.TRUST);
        Exception down = new IOException("no answer in time");
        unavailable = answers.of(new CacheLookup.Unavailable("no answer in time"));
        unreachable = answers.of(new LeaseAttempt.Unreachable("no answer in time"));
        held = answers.of(new LeaseAttempt.Held());
        unknown = answers.of(new SettleOutcome.Unknown("no answer in time"));
        readFailed = answers.of(new TableRead.Failed(down));
        changed = answers.of(new ChangeOutcome.Changed());
        conflict = answers.of(new ChangeOutcome.Conflict());
        changeFailed = answers.of(new ChangeOutcome.Failed(down));
        created = answers.of(new CreateOutcome.Created());
        taken = answers.of(new CreateOutcome.CodeTaken());
        createFailed = answers.of(new CreateOutcome.Failed(down));
        claimed = answers.of(new VisitClaim.Claimed());
        notClaimed = answers.of(new VisitClaim.NotClaimed());
        claimFailed = answers.of(new VisitClaim.Failed(down));
        accepted = answers.of(new Acceptance.Accepted());
        marked = answers.of(new MarkOutcome.Marked());
        notObserved = answers.of(new NodeView.Unknown("no answer in time"));
        notAccepted = answers.of(new Acceptance.NotAccepted(down));
        items.of(Optional.empty());
        ways.of(new Way(List.of()));
        nodes = new CacheNodes(answers, calls, times);
        actors = new Actors(setup, answers, calls);
        fields = FIRST_ACTOR + setup.actors().size();
        from = new int[fields];
        to = new int[fields];
        packed = new long[words()];
    }

    @Override
    public int words() {
        return (fields + 3) / 4;
    }

    /** How many runs of production code there were. */
    int runs() {
        return actors.runs();
    }

    @Override
    public void first(long[] state) {
        int item = items.of(setup.item());
        int key = nodes.key(setup.key().map(value -> new Entry(value, Optional.empty())));
        int node = CacheNodes.of(key, Tokens.NONE, 1);
        to[ITEM] = item;
        to[STREAM] = logs.of(new Log(List.of(item)));
        to[PRIMARY] = node;
        to[REPLICA] = replica ? node : CacheNodes.MISSING;
        to[SNAPSHOT] = snapshot ? node : CacheNodes.MISSING;
        to[OLD_PRIMARY] = CacheNodes.MISSING;
        to[ON_THEIR_WAY] = 0;
        to[FACTS] = setup.item().isPresent() ? REPORTED : 0;
        to[SCENE] = 0;
        int left = 0;
        for (Fault fault : Fault.values()) {
            left |= setup.mostOf(fault) << fault.shift();
        }
        to[FAULTS] = left;
        for (int actor = 0; actor < setup.actors().size(); actor++) {
            to[FIRST_ACTOR + actor] = 0;
        }
        pack();
        System.arraycopy(packed, 0, state, 0, state.length);
    }

    private void pack() {
        for (int word = 0; word < packed.length; word++) {
            long value = 0;
            for (int i = 3; i >= 0; i--) {
                int field = word * 4 + i;
                value = value << 16 | (field < fields ? to[field] & 0xFFFFL : 0);
            }
            packed[word] = value;
        }
    }

    @Override
    public List<Told> tell(long[] state) {
        List<Told> all = new ArrayList<>();
        told = all;
        expand(state, (_, _) -> {});
        told = null;
        return all;
    }

    @Override
    public void expand(long[] state, Steps where) {
        steps = where;
        for (int field = 0; field < fields; field++) {
            from[field] = (int) (state[field >> 2] >>> (16 * (field & 3))) & 0xFFFF;
        }
        for (int actor = 0; actor < setup.actors().size(); actor++) {
            if (from[FIRST_ACTOR + actor] != DONE) {
                step(actor);
            }
        }
        stepOfWorld();
    }

    // What an actor does.

    private void step(int actor) {
        History history = actors.get(actor, from[FIRST_ACTOR + actor]);
        if (history.id == 0 && !mayStart(setup.actors().get(actor).start())) {
            return;
        }
        History now = history;
        while (now.next instanceof Call.Receive(int index)) {
            int answer = delivery(index);
            if (answer < 0) {
                return;
            }
            now = actors.after(actor, now, answer);
            now = pastPrivate(actor, now);
        }
        if (now.next == null) {
            begin();
            follow(actor, now);
            return;
        }
        switch (now.next) {
            case Call.Look _ -> look(actor, now);
            case Call.Ask _ -> ask(actor, now);
            case Call.Force _ -> force(actor, now);
            case Call.Settle settle -> settle(actor, now, settle);
            case Call.Read _ -> read(actor, now);
            case Call.Change change -> change(actor, now, change);
            case Call.Create create -> create(actor, now, create);
            case Call.Claim claim -> claim(actor, now, claim);
            case Call.Send _ -> send(actor, now);
            case Call.Now _ -> lookAtClock(actor, now);
            case Call.Receive _ -> throw new IllegalStateException("was handed over above");
            case Call.Observe _ -> observe(actor, now);
            case Call.Incarnation _ -> lookAtConnections(actor, now);
            case Call.Deaths _ -> readDeaths(actor, now);
            case Call.Mark(int run) -> mark(actor, now, run);
        }
        if (isProcess(actor) && now.id != 0 && !now.joined) {
            arrive(actor, now);
        }
    }

    private boolean isProcess(int actor) {
        return setup.actors().get(actor).name().contains("+");
    }

    private boolean mayStart(Start start) {
        return switch (start) {
            case ANY_TIME -> true;
            case LINK_IS_DEAD -> isDead(from[ITEM]);
            case LINK_IS_ALIVE -> isAlive(from[ITEM]);
            case LINK_IS_ABSENT -> from[ITEM] == 0;
            case RUN_IS_NOT_SWEPT -> !isTrusted(from);
        };
    }

    /** A record of the stream, or -1 while there is none of that number. */
    private int delivery(int index) {
        List<Integer> log = logs.get(from[STREAM]).items();
        return index + 1 < log.size()
                ? answers.of(new Delivery(items.get(log.get(index)), items.get(log.get(index + 1))))
                : -1;
    }

    /**
     * The answer to a call that is no step of its own, for nobody can tell when it is made; -1 if
     * it is one. Such are sends that cannot fail, and looks at connections that nothing can change
     * any more.
     */
    private int privately(History history) {
        if (history.next instanceof Call.Send && setup.mostOf(Fault.QUEUE_FAILURE) == 0) {
            return accepted;
        }
        return history.next instanceof Call.Incarnation && isLastRun() ? incarnation() : -1;
    }

    private boolean isLastRun() {
        int changes = 3 << Fault.FAILOVER.shift() | 3 << Fault.RESTART.shift();
        return (from[FAULTS] & changes) == 0;
    }

    private History pastPrivate(int actor, History history) {
        History now = history;
        for (int answer = privately(now);
                answer >= 0 && now.reports.isEmpty();
                answer = privately(now)) {
            now = actors.after(actor, now, answer);
        }
        return now;
    }

    private void look(int actor, History history) {
        looked(actor, history, false);
    }

    private void arrive(int actor, History history) {
        looked(actor, history, true);
    }

    private void looked(int actor, History history, boolean arrival) {
        int found = observes || isTrusted(from) ? nodes.lookup(from[PRIMARY]) : unavailable;
        begin();
        comes(actor, arrival);
        say(actor, () -> (arrival ? "gets its second click and " : "") + lookWords(from[PRIMARY]));
        answer(actor, history, arrival ? arrival(found) : found);
        if (from[OLD_PRIMARY] != CacheNodes.MISSING && !trusts) {
            begin();
            comes(actor, arrival);
            say(actor, () -> "looks into the old primary: " + words(from[OLD_PRIMARY]));
            int old = nodes.lookup(from[OLD_PRIMARY]);
            answer(actor, history, arrival ? arrival(old) : old);
        }
        if (!arrival && begin(Fault.CACHE_TIMEOUT)) {
            comes(actor, false);
            say(actor, () -> "looks into the cache, which does not answer");
            answer(actor, history, unavailable);
        }
    }

    private String lookWords(int node) {
        return observes || isTrusted(from)
                ? "looks into the cache: " + words(node)
                : "does not trust the cache, which no sweep has been through";
    }

    private int arrival(int found) {
        return answers.of(new Arrival(answers.get(found)));
    }

    /** A click arrives: whether it comes after a report is part of the state. */
    private void comes(int actor, boolean second) {
        if ((to[FACTS] & REPORTED) != 0) {
            to[FACTS] |= 1 << (CLICK + clickOf(actor) + (second ? 1 : 0));
        }
    }

    private int clickOf(int actor) {
        int number = 0;
        for (int i = 0; i < actor; i++) {
            if (setup.actors().get(i).party() == Party.READER) {
                number += isProcess(i) ? 2 : 1;
            }
        }
        return number;
    }

    private void ask(int actor, History history) {
        begin();
        if (CacheNodes.token(from[PRIMARY]) == Tokens.NONE) {
            take(actor, history, "asks for the lease and gets it");
        } else {
            say(actor, () -> "asks for the lease, which somebody else has");
            answer(actor, history, held);
        }
        if (begin(Fault.CACHE_TIMEOUT)) {
            say(actor, () -> "asks for the lease and gets no answer");
            answer(actor, history, unreachable);
        }
    }

    private void force(int actor, History history) {
        begin();
        if (setup.rules().off().contains(Off.NO_REPLAY)) {
            to[ON_THEIR_WAY] = with(to[ON_THEIR_WAY], replayOf(actor, history));
        }
        take(actor, history, "takes the lease");
        if (begin(Fault.CACHE_TIMEOUT)) {
            say(actor, () -> "wants to take the lease and gets no answer");
            answer(actor, history, unreachable);
        }
    }

    /** The command that takes the lease, once more. */
    private int replayOf(int actor, History history) {
        int token = Tokens.of(actor, history.leases);
        return calls.of(
                new Call.Settle(
                        Tokens.lease(token),
                        new dev.headstone.cache.Settlement.Release(),
                        REPLAY,
                        false));
    }

    /** Stands for the script in a replayed command that is none. */
    private static final String REPLAY = "";

    private void take(int actor, History history, String words) {
        int token = Tokens.of(actor, history.leases);
        to[PRIMARY] = CacheNodes.withToken(to[PRIMARY], token);
        say(actor, () -> words);
        answer(actor, history, answers.of(new LeaseAttempt.Taken(Tokens.lease(token))));
    }

    private void settle(int actor, History history, Call.Settle call) {
        int done = nodes.settle(from[PRIMARY], history.number, time());
        int node = done & 0xFFFF;
        begin();
        to[PRIMARY] = node;
        if (replica && call.confirmed()) {
            to[REPLICA] = node;
        }
        say(actor, () -> settleWords(call, done));
        answer(actor, history, done >>> 16);
        if (begin(Fault.CACHE_TIMEOUT)) {
            to[ON_THEIR_WAY] = with(to[ON_THEIR_WAY], history.number);
            say(actor, () -> what(call) + " and gets no answer");
            answer(actor, history, unknown);
        }
    }

    private String settleWords(Call.Settle call, int done) {
        return switch ((SettleOutcome) answers.get(done >>> 16)) {
            case SettleOutcome.Accepted _ ->
                    what(call) + ": the cache now holds " + words(done & 0xFFFF);
            case SettleOutcome.Refused _ ->
                    what(call) + " and is refused: the lease is not its own";
            case SettleOutcome.Unknown _ -> what(call) + " and gets no answer";
        };
    }

    private static String what(Call.Settle call) {
        return switch (call.settlement()) {
            case dev.headstone.cache.Settlement.Write write ->
                    "writes "
                            + (write.record().stamp().deleted() ? "the tombstone v" : "live v")
                            + write.record().stamp().version();
            case dev.headstone.cache.Settlement.DropOlder drop ->
                    "drops what is older than v" + drop.live().version();
            case dev.headstone.cache.Settlement.DropUpTo drop ->
                    "drops what is not newer than v" + drop.last().version();
            case dev.headstone.cache.Settlement.DropAll _ -> "drops whatever there is";
            case dev.headstone.cache.Settlement.Release _ -> "gives the lease back";
        };
    }

    private void read(int actor, History history) {
        begin();
        say(actor, () -> "reads the table: " + words(items.get(from[ITEM])));
        answer(actor, history, read(from[ITEM]));
        if (setup.rules().off().contains(Off.CONSISTENT_READS)) {
            List<Integer> log = logs.get(from[STREAM]).items();
            for (int old : log.subList(0, log.size() - 1)) {
                begin();
                say(actor, () -> "reads a lagging table: " + words(items.get(old)));
                answer(actor, history, read(old));
            }
        }
        if (begin(Fault.TABLE_TIMEOUT)) {
            say(actor, () -> "asks the table, which does not answer");
            answer(actor, history, readFailed);
        }
    }

    private int read(int item) {
        return answers.of(
                items.get(item)
                        .<TableRead>map(TableRead.Found::new)
                        .orElseGet(TableRead.Absent::new));
    }

    private void change(int actor, History history, Call.Change change) {
        begin();
        boolean made = apply(change);
        say(actor, () -> changeWords(change, made));
        answer(actor, history, made ? changed : conflict);
        if (begin(Fault.TABLE_TIMEOUT)) {
            to[ON_THEIR_WAY] = with(to[ON_THEIR_WAY], history.number);
            say(actor, () -> changeWords(change, true) + " and gets no answer");
            answer(actor, history, changeFailed);
        }
    }

    private static String changeWords(Call.Change change, boolean made) {
        String wanted = "changes the table to " + words(Optional.of(change.after()));
        return made ? wanted : wanted + ", but the item is no longer what it was";
    }

    /** What the table does: whether the change is made, or was before. */
    private boolean apply(Call.Change change) {
        Optional<Link> present = items.get(to[ITEM]);
        Link before = change.before();
        Link after = change.after();
        if (present.isEmpty() || present.get().epoch() != before.epoch()) {
            return false;
        }
        long visits = present.get().visits();
        if (change.lastVisit() && visits != before.visitLimit().orElseThrow() - 1) {
            return false;
        }
        if (present.get().lastChange().id().equals(after.lastChange().id())) {
            return true;
        }
        if (present.get().version() != before.version()) {
            return false;
        }
        put(Optional.of(after.withVisits(change.lastVisit() ? visits + 1 : visits)));
        return true;
    }

    private void create(int actor, History history, Call.Create create) {
        begin();
        boolean made = from[ITEM] == 0;
        if (made) {
            put(Optional.of(create.link()));
        }
        say(actor, () -> made ? "creates the item: live v1" : "finds the code taken");
        answer(actor, history, made ? created : taken);
        if (begin(Fault.TABLE_TIMEOUT)) {
            to[ON_THEIR_WAY] = with(to[ON_THEIR_WAY], history.number);
            say(actor, () -> "creates the item and gets no answer");
            answer(actor, history, createFailed);
        }
    }

    private void claim(int actor, History history, Call.Claim claim) {
        begin();
        boolean made = apply(claim);
        say(actor, () -> made ? "claims a visit" : "claims a visit, but gets none");
        answer(actor, history, made ? claimed : notClaimed);
        if (begin(Fault.TABLE_TIMEOUT)) {
            to[ON_THEIR_WAY] = with(to[ON_THEIR_WAY], history.number);
            say(actor, () -> "claims a visit and gets no answer");
            answer(actor, history, claimFailed);
        }
    }

    private boolean apply(Call.Claim claim) {
        Optional<Link> present = items.get(to[ITEM]);
        if (present.isEmpty()
                || present.get().isDead()
                || present.get().epoch() != claim.link().epoch()
                || present.get().version() != claim.link().version()
                || present.get().visits() >= claim.link().visitLimit().orElseThrow() - 1) {
            return false;
        }
        to[ITEM] = items.of(present.map(link -> link.withVisits(link.visits() + 1)));
        return true;
    }

    private void send(int actor, History history) {
        begin();
        say(actor, () -> "sends its audit event");
        answer(actor, history, accepted);
        if (begin(Fault.QUEUE_FAILURE)) {
            say(actor, () -> "sends its audit event, which is not accepted");
            answer(actor, history, notAccepted);
        }
    }

    private void lookAtClock(int actor, History history) {
        begin();
        say(actor, () -> "looks at the clock: " + Instant.ofEpochMilli(now()));
        answer(actor, history, answers.of(Instant.ofEpochMilli(now())));
    }

    private void observe(int actor, History history) {
        int run = run(from);
        boolean swept = isSwept(from[PRIMARY], run) || isEmpty(from[PRIMARY]);
        begin();
        say(
                actor,
                () ->
                        "observes the node: run "
                                + (run + 1)
                                + (swept ? ", which is swept or empty" : ", which is not swept"));
        answer(
                actor,
                history,
                answers.of(new NodeView.Primary(new CacheRun(RUN + run), run, swept)));
        if (begin(Fault.CACHE_TIMEOUT)) {
            say(actor, () -> "observes the node, which does not answer");
            answer(actor, history, notObserved);
        }
    }

    private void lookAtConnections(int actor, History history) {
        begin();
        say(actor, () -> "finds its connections to be those to run " + (run(from) + 1));
        answer(actor, history, incarnation());
    }

    private int incarnation() {
        return answers.of((long) run(from));
    }

    private void readDeaths(int actor, History history) {
        List<Death> died =
                logs.get(from[STREAM]).items().stream()
                        .skip(1)
                        .map(items::get)
                        .flatMap(Optional::stream)
                        .filter(Link::isDead)
                        .map(link -> new Death(link.code(), link.stamp()))
                        .toList();
        begin();
        say(actor, () -> "reads the index of deaths: " + (died.isEmpty() ? "nobody" : "this link"));
        answer(actor, history, answers.of(new DeathPage.Read(died, Optional.empty())));
        if (!died.isEmpty() && setup.rules().off().contains(Off.CONSISTENT_INDEX)) {
            begin();
            say(actor, () -> "reads an index of deaths that lags: nobody");
            answer(actor, history, answers.of(new DeathPage.Read(List.of(), Optional.empty())));
        }
    }

    /** A marker names its run: on a node of another one it says nothing. */
    private void mark(int actor, History history, int run) {
        begin();
        if (!isSwept(to[PRIMARY], run(to))) {
            to[PRIMARY] = CacheNodes.withMark(to[PRIMARY], run + 1);
        }
        say(actor, () -> "says in the cache that run " + (run + 1) + " is swept");
        answer(actor, history, marked);
    }

    private static int run(int[] state) {
        return state[SCENE] >>> RUN_SHIFT & RUN_MASK;
    }

    /** The number in the name of a run. */
    static int number(CacheRun run) {
        return Integer.parseInt(run.name().substring(RUN.length()));
    }

    private static boolean isSwept(int node, int run) {
        return CacheNodes.mark(node) == run + 1;
    }

    private static boolean isEmpty(int node) {
        return node == CacheNodes.of(CacheNodes.EMPTY, Tokens.NONE, 0);
    }

    /** The actor goes on with that answer. */
    private void answer(int actor, History history, int answer) {
        follow(actor, actors.after(actor, history, answer));
    }

    private void follow(int actor, History reached) {
        History now = reached;
        heed(now);
        for (int answer = privately(now); answer >= 0; answer = privately(now)) {
            now = actors.after(actor, now, answer);
            heed(now);
        }
        to[FIRST_ACTOR + actor] = now.next == null ? DONE : now.id;
        end();
    }

    // What is reported.

    private void heed(History history) {
        for (Report report : history.reports) {
            heed(report);
        }
    }

    private void heed(Report report) {
        Optional<Link> item = items.get(to[ITEM]);
        switch (report) {
            case Report.Answered answered -> heed(answered, item);
            case Report.Confirmed(long version, boolean dead, boolean audited) -> {
                if (!audited) {
                    broken |= Invariant.NOT_AUDITED.bit();
                }
                if (item.isPresent()
                        && item.get().version() == version
                        && item.get().isDead() == dead) {
                    to[FACTS] |= REPORTED;
                }
                also(dead ? "; the death is reported" : "; the life is reported");
            }
            case Report.Settled(boolean audited, Optional<Link> settled) -> {
                if (!audited) {
                    broken |= Invariant.NOT_AUDITED.bit();
                }
                if (setup.has(Trait.SETTLED_COUNTS) && settled.equals(item)) {
                    to[FACTS] |= REPORTED;
                }
                also("; done");
            }
            case Report.Failed(int status) -> {
                if (setup.has(Trait.REQUESTS_SUCCEED)) {
                    broken |= Invariant.FAILED_WITHOUT_CAUSE.bit();
                }
                also("; it ends with " + status);
            }
        }
    }

    private void heed(Report.Answered answered, Optional<Link> item) {
        boolean afterReport = (to[FACTS] >>> (CLICK + answered.click()) & 1) != 0;
        boolean expired =
                item.flatMap(Link::expiresAt)
                        .filter(end -> !end.isAfter(answered.began()))
                        .isPresent();
        also("; it answers " + answered.status());
        if (answered.redirect()) {
            if (afterReport && !isAlive(to[ITEM])) {
                broken |= Invariant.DEAD_SERVED.bit();
            }
            if (expired) {
                broken |= Invariant.EXPIRED_SERVED.bit();
            }
            if (item.isPresent() && item.get().visitLimit().isPresent()) {
                to[FACTS] += 1 << VISITS_SHIFT;
                if (to[FACTS] >>> VISITS_SHIFT > item.get().visitLimit().getAsLong()) {
                    broken |= Invariant.LIMIT_EXCEEDED.bit();
                }
            }
        } else if (answered.status() == 404 && afterReport && isShown(item)) {
            broken |= Invariant.LIVE_HIDDEN.bit();
        }
        to[FACTS] &= ~(1 << (CLICK + answered.click()));
    }

    /** Whether a live link is to be seen at present, and was all the time since its report. */
    private boolean isShown(Optional<Link> item) {
        return item.isPresent()
                && !item.get().isDead()
                && !item.get().isExpired(Instant.ofEpochMilli(times[times.length - 1]));
    }

    // What happens without anybody's doing.

    private void stepOfWorld() {
        int primary = from[PRIMARY];
        if (CacheNodes.key(primary) != CacheNodes.EMPTY && begin(Fault.EVICTION)) {
            to[PRIMARY] = CacheNodes.withKey(primary, CacheNodes.EMPTY);
            say(() -> "the cache evicts " + words(primary));
            end();
        }
        if (CacheNodes.token(primary) != Tokens.NONE && begin(Fault.LEASE_LOSS)) {
            to[PRIMARY] = CacheNodes.withToken(primary, Tokens.NONE);
            say(() -> "the lease runs out");
            end();
        }
        landings();
        if (replica && from[REPLICA] != primary) {
            begin();
            to[REPLICA] = primary;
            say(() -> "the replica catches up: " + words(primary));
            end();
        }
        if (snapshot && from[SNAPSHOT] != primary) {
            begin();
            to[SNAPSHOT] = primary;
            say(() -> "the node saves a snapshot: " + words(primary));
            end();
        }
        if (begin(Fault.FAILOVER)) {
            failOver(primary);
        }
        if (begin(Fault.RESTART)) {
            restart();
        }
        if (mayBeRemoved() && begin(Fault.REMOVAL)) {
            remove();
        }
        passTime();
    }

    /** By hand at any time; by the table itself once the link has been dead for a month. */
    private boolean mayBeRemoved() {
        return from[ITEM] != 0 && (!setup.has(Trait.PURGES) || isDead(from[ITEM]));
    }

    private void remove() {
        put(Optional.empty());
        if (setup.has(Trait.PURGES)) { // no key lives for so long
            to[PRIMARY] = CacheNodes.withToken(CacheNodes.withKey(to[PRIMARY], 0), Tokens.NONE);
        }
        say(
                () ->
                        setup.has(Trait.PURGES)
                                ? "the table purges the item"
                                : "the item is removed by hand");
        end();
    }

    private void failOver(int primary) {
        to[PRIMARY] = nodes.at(from[REPLICA], now());
        if (isolated) {
            to[OLD_PRIMARY] = CacheNodes.withToken(primary, Tokens.NONE);
        }
        newRun();
        say(() -> "failover: the replica is promoted with " + words(to[PRIMARY]));
        end();
    }

    private void restart() {
        to[PRIMARY] = nodes.at(from[SNAPSHOT], now());
        newRun();
        say(() -> "the node comes back with its snapshot: " + words(to[PRIMARY]));
        end();
    }

    /** Commands die with their connection, unless the client brings them to the next one. */
    private void newRun() {
        to[SCENE] = (to[SCENE] & ~SEEN_EMPTY) + (1 << RUN_SHIFT);
        if (!setup.rules().off().contains(Off.NO_REPLAY)) {
            Way kept = new Way(List.of());
            for (int call : ways.get(from[ON_THEIR_WAY]).calls()) {
                if (!(calls.get(call) instanceof Call.Settle)) {
                    kept = kept.and(call);
                }
            }
            to[ON_THEIR_WAY] = ways.of(kept);
        }
    }

    private void passTime() {
        int time = from[SCENE] & TIME_MASK;
        if (time + 1 < times.length) {
            begin();
            to[SCENE]++;
            to[PRIMARY] = nodes.at(to[PRIMARY], now(to));
            if (replica) {
                to[REPLICA] = nodes.at(to[REPLICA], now(to));
            }
            say(() -> "time passes: it is " + Instant.ofEpochMilli(now(to)));
            end();
        }
    }

    private void landings() {
        List<Integer> late = ways.get(from[ON_THEIR_WAY]).calls();
        for (int i = 0; i < late.size(); i++) {
            begin();
            to[ON_THEIR_WAY] = ways.of(ways.get(from[ON_THEIR_WAY]).without(i));
            land(late.get(i));
            end();
        }
    }

    private void land(int number) {
        switch (calls.get(number)) {
            case Call.Settle call when call.script().equals(REPLAY) -> {
                int token = Tokens.number(call.lease().token());
                to[PRIMARY] = CacheNodes.withToken(to[PRIMARY], token);
                say(() -> "the client takes a lease once more that it had taken before");
            }
            case Call.Settle call -> {
                to[PRIMARY] = nodes.settle(from[PRIMARY], number, time()) & 0xFFFF;
                say(() -> "late, a command lands that " + what(call) + ": " + words(to[PRIMARY]));
            }
            case Call.Change change -> {
                boolean made = apply(change);
                say(() -> "late, the table gets a change: " + changeWords(change, made));
            }
            case Call.Create create -> {
                if (to[ITEM] == 0) {
                    put(Optional.of(create.link()));
                }
                say(() -> "late, the table gets the new item");
            }
            case Call.Claim claim -> {
                boolean made = apply(claim);
                say(() -> "late, the table gets a claim" + (made ? "" : ", and refuses it"));
            }
            case Call other -> throw new IllegalStateException("cannot land: " + other);
        }
    }

    // The parts of a state.

    private void begin() {
        System.arraycopy(from, 0, to, 0, fields);
        broken = 0;
        story = "";
    }

    /** Begins with a fault, if there is one left. */
    private boolean begin(Fault fault) {
        int shift = fault.shift();
        int left = from[FAULTS] >>> shift & 3;
        if (left == 0) {
            return false;
        }
        begin();
        if (left != Fault.UNBOUNDED) {
            to[FAULTS] -= 1 << shift;
        }
        return true;
    }

    private void end() {
        forgetTokens();
        if (observes && isEmpty(to[PRIMARY])) {
            to[SCENE] |= SEEN_EMPTY;
        }
        check();
        pack();
        if (told != null) {
            told.add(new Told(packed, broken, story));
        }
        if (steps != null) {
            steps.taken(packed, broken);
        }
    }

    /** A lease that nobody can use any more is like any other such lease. */
    private void forgetTokens() {
        long usable = 0;
        for (int actor = 0; actor < setup.actors().size(); actor++) {
            int id = to[FIRST_ACTOR + actor];
            if (id != DONE) {
                usable |= 1L << actors.get(actor, id).lease;
            }
        }
        if (to[ON_THEIR_WAY] != 0) {
            usable |= usableOnTheirWay();
        }
        to[PRIMARY] = forget(to[PRIMARY], usable);
        if (replica) {
            to[REPLICA] = forget(to[REPLICA], usable);
        }
        if (snapshot) {
            to[SNAPSHOT] = forget(to[SNAPSHOT], usable);
        }
    }

    private static int forget(int node, long usable) {
        int token = CacheNodes.token(node);
        return token > Tokens.FOREIGN && (usable >>> token & 1) == 0
                ? CacheNodes.withToken(node, Tokens.FOREIGN)
                : node;
    }

    /** Drops late commands that can do nothing any more; gives the tokens of the others. */
    private long usableOnTheirWay() {
        long usable = 0;
        Way way = ways.get(to[ON_THEIR_WAY]);
        Way kept = new Way(List.of());
        for (int call : way.calls()) {
            if (canDoSomething(calls.get(call))) {
                kept = kept.and(call);
            }
        }
        for (int call : kept.calls()) {
            if (calls.get(call) instanceof Call.Settle settle) {
                usable |= 1L << Tokens.number(settle.lease().token());
            }
        }
        if (kept.calls().size() != way.calls().size()) {
            to[ON_THEIR_WAY] = ways.of(kept);
        }
        return usable;
    }

    private boolean canDoSomething(Call call) {
        return switch (call) {
            case Call.Settle settle -> {
                int token = Tokens.number(settle.lease().token());
                yield settle.script().equals(REPLAY)
                        || token == Tokens.NONE
                        || setup.rules().off().contains(Off.NO_REPLAY)
                        || CacheNodes.token(to[PRIMARY]) == token
                        || (replica && CacheNodes.token(to[REPLICA]) == token)
                        || (snapshot && CacheNodes.token(to[SNAPSHOT]) == token);
            }
            case Call.Change change ->
                    items.get(to[ITEM])
                            .filter(
                                    link ->
                                            link.epoch() == change.before().epoch()
                                                    && link.version() == change.before().version())
                            .isPresent();
            case Call other -> true;
        };
    }

    private void check() {
        int item = to[ITEM];
        if ((to[FACTS] & REPORTED) == 0) {
            return;
        }
        if (isAlive(item)) {
            if (isTrusted(to)
                    && nodes.isTombstone(to[PRIMARY], now(to))
                    && isShown(items.get(item))) {
                broken |= Invariant.LIVE_HIDDEN.bit();
            }
        } else if (isServing(to[PRIMARY], isTrusted(to)) || isServing(to[OLD_PRIMARY], !trusts)) {
            broken |= Invariant.DEAD_SERVED.bit();
        }
    }

    private boolean isServing(int node, boolean trusted) {
        return node != CacheNodes.MISSING && trusted && nodes.isActive(node, now(to));
    }

    /** Whether hits are used: in the first run, and once a sweep has been through. */
    private boolean isTrusted(int[] state) {
        return !trusts
                || (!snapshot && !isolated)
                || isSwept(state[PRIMARY], run(state))
                || (observes && (state[SCENE] & SEEN_EMPTY) != 0);
    }

    /** The table changes: what was reported of a link that lives again counts no more. */
    private void put(Optional<Link> link) {
        boolean wasAlive = isAlive(to[ITEM]);
        to[ITEM] = items.of(link);
        Log log = logs.get(to[STREAM]);
        if (log.items().size() == MOST_STREAM) {
            throw new IllegalStateException("a table that changes too often");
        }
        to[STREAM] = logs.of(log.and(to[ITEM]));
        if (isAlive(to[ITEM]) != wasAlive) {
            to[FACTS] = to[FACTS] >>> VISITS_SHIFT << VISITS_SHIFT;
        }
    }

    private int with(int way, int call) {
        return ways.of(ways.get(way).and(call));
    }

    private boolean isAlive(int item) {
        Optional<Link> link = items.get(item);
        return link.isPresent() && !link.get().isDead();
    }

    private boolean isDead(int item) {
        Optional<Link> link = items.get(item);
        return link.isPresent() && link.get().isDead();
    }

    private int time() {
        return from[SCENE] & TIME_MASK;
    }

    private long now() {
        return now(from);
    }

    private long now(int[] state) {
        return times[state[SCENE] & TIME_MASK];
    }

    // Words.

    /** A part of a story that is only made when one is told. */
    @FunctionalInterface
    private interface Words {
        String get();
    }

    private void say(Words words) {
        if (told != null) {
            story = words.get();
        }
    }

    private void say(int actor, Words words) {
        if (told != null) {
            story = setup.actors().get(actor).name() + " " + words.get();
        }
    }

    private void also(String words) {
        if (told != null) {
            story += words;
        }
    }

    private String words(int node) {
        return nodes.words(node);
    }

    private static String words(Optional<Link> item) {
        return item.map(link -> (link.isDead() ? "dead v" : "live v") + link.version())
                .orElse("no item");
    }
}
