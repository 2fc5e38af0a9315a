package dev.headstone.table;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing.Alive;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A table in memory that behaves as the real one does and can be told to fail. Held to {@link
 * LinkTableContract} beside the real one. Safe for use by several threads.
 */
public final class InMemoryLinkTable implements LinkTable {
    private final Map<ShortCode, Link> links = new HashMap<>();
    private final Map<ShortCode, String> unreadable = new HashMap<>();
    private final Map<String, Idempotency> answers = new HashMap<>();
    private final List<Link> deaths = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private final Set<ShortCode> failingFor = new HashSet<>();
    private boolean failing;
    private boolean replyLost;

    /** From now on nothing answers, or everything does again. */
    public synchronized void failing(boolean yes) {
        failing = yes;
    }

    /** From now on nothing answers for this code. */
    public synchronized void failingFor(ShortCode code) {
        failingFor.add(code);
    }

    /** The next write lands, but is reported as failed. */
    public synchronized void loseNextReply() {
        replyLost = true;
    }

    /** Puts an item as it is, past all conditions. */
    public synchronized void put(Link link) {
        links.put(link.code(), link);
    }

    /** Puts an item that is no link. */
    public synchronized void putUnreadable(ShortCode code, String why) {
        unreadable.put(code, why);
    }

    /** Removes an item, as a purge does. */
    public synchronized void remove(ShortCode code) {
        links.remove(code);
    }

    /** The item now. */
    public synchronized Optional<Link> get(ShortCode code) {
        return Optional.ofNullable(links.get(code));
    }

    /** All items. */
    public synchronized List<Link> all() {
        return List.copyOf(links.values());
    }

    /** What the index of deaths holds, in order of writing. */
    public synchronized List<Link> deaths() {
        return List.copyOf(deaths);
    }

    /** What was called, in order: {@code read abc}, {@code change abc}, … */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public synchronized TableRead read(ShortCode code) {
        calls.add("read " + code);
        if (fails(code)) {
            return new TableRead.Failed(down());
        }
        if (unreadable.containsKey(code)) {
            return new TableRead.Unreadable(unreadable.get(code));
        }
        return get(code).<TableRead>map(TableRead.Found::new).orElseGet(TableRead.Absent::new);
    }

    @Override
    public synchronized CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
        calls.add("create " + link.code());
        if (fails(link.code())) {
            return new CreateOutcome.Failed(down());
        }
        Optional<Idempotency> used = idempotency.map(asked -> answers.get(asked.key()));
        if (used.isPresent() && used.get().until().isAfter(link.createdAt())) {
            return new CreateOutcome.KeyTaken();
        }
        if (links.containsKey(link.code()) || unreadable.containsKey(link.code())) {
            return new CreateOutcome.CodeTaken();
        }
        links.put(link.code(), link);
        idempotency.ifPresent(answer -> answers.put(answer.key(), answer));
        return takeLostReply() ? new CreateOutcome.Failed(down()) : new CreateOutcome.Created();
    }

    @Override
    public synchronized IdempotencyRead recall(String key) {
        calls.add("recall");
        if (failing) {
            return new IdempotencyRead.Failed(down());
        }
        return Optional.ofNullable(answers.get(key))
                .<IdempotencyRead>map(IdempotencyRead.Stored::new)
                .orElseGet(IdempotencyRead.Unused::new);
    }

    @Override
    public synchronized ChangeOutcome change(Link before, Link after) {
        calls.add("change " + after.code());
        return write(before, after, after.withVisits(visitsOf(after.code())));
    }

    @Override
    public synchronized ChangeOutcome exhaust(Link before, Link after) {
        calls.add("exhaust " + after.code());
        long limit = before.visitLimit().orElseThrow();
        if (!fails(after.code()) && visitsOf(after.code()) != limit - 1) {
            return new ChangeOutcome.Conflict();
        }
        return write(before, after, after.withVisits(limit));
    }

    private ChangeOutcome write(Link before, Link after, Link stored) {
        if (fails(after.code())) {
            return new ChangeOutcome.Failed(down());
        }
        Link present = links.get(after.code());
        if (present == null || present.epoch() != before.epoch()) {
            return new ChangeOutcome.Conflict();
        }
        if (!present.lastChange().id().equals(after.lastChange().id())) {
            if (present.version() != before.version()) {
                return new ChangeOutcome.Conflict();
            }
            links.put(after.code(), stored);
            if (after.isDead()) {
                deaths.add(after);
            }
        }
        return takeLostReply() ? new ChangeOutcome.Failed(down()) : new ChangeOutcome.Changed();
    }

    @Override
    public synchronized VisitClaim claimVisit(Link link) {
        calls.add("claim " + link.code());
        if (fails(link.code())) {
            return new VisitClaim.Failed(down());
        }
        Link present = links.get(link.code());
        if (present == null
                || present.epoch() != link.epoch()
                || present.version() != link.version()
                || !(present.standing() instanceof Alive)
                || present.visits() >= link.visitLimit().orElseThrow() - 1) {
            return new VisitClaim.NotClaimed();
        }
        links.put(link.code(), present.withVisits(present.visits() + 1));
        return takeLostReply() ? new VisitClaim.Failed(down()) : new VisitClaim.Claimed();
    }

    private long visitsOf(ShortCode code) {
        return get(code).map(Link::visits).orElse(0L);
    }

    private boolean fails(ShortCode code) {
        return failing || failingFor.contains(code);
    }

    private boolean takeLostReply() {
        boolean lost = replyLost;
        replyLost = false;
        return lost;
    }

    private static Exception down() {
        return new IOException("the table does not answer");
    }
}
