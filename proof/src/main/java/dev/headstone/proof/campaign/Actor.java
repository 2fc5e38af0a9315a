package dev.headstone.proof.campaign;

import dev.headstone.audit.Acceptance;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditQueue;
import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who acts upon a trial's link through ports of what ships. Between any two of its calls
 * something may befall it, as the trial decides. One thread at a time acts.
 */
final class Actor {
    private static final int NEVER = Integer.MAX_VALUE;
    private static final String NO_ANSWER = "the cache did not answer in time";

    private final String name;
    private final LinkCache behind;
    private final LinkCache cache = new Cache();
    private final LinkTable table = new Table();
    private final List<AuditEvent> stored = new ArrayList<>();
    private @Nullable Trial trial;
    private int calls;
    private int diesAt = NEVER;
    private int stallsAt = NEVER;
    private boolean dead;
    private boolean busy;
    private boolean queueFailed;

    /**
     * @param name in stories
     * @param behind the cache as this actor's process has it
     */
    Actor(String name, LinkCache behind) {
        this.name = name;
        this.behind = behind;
    }

    LinkCache cache() {
        return cache;
    }

    LinkTable table() {
        return table;
    }

    AuditQueue queue() {
        return this::send;
    }

    /** Whether it is in the middle of something. */
    boolean isBusy() {
        return busy;
    }

    /** What the queue stored of its last deed, whether it heard of it or not. */
    List<AuditEvent> stored() {
        return List.copyOf(stored);
    }

    /** Whether the queue failed it in its last deed. */
    boolean queueFailed() {
        return queueFailed;
    }

    void joins(Trial next) {
        trial = next;
        busy = false;
    }

    /** It will die before that call of its next deed, counted from 1. */
    void diesAt(int call) {
        diesAt = call;
    }

    /** It will stall before that call of its next deed, counted from 1. */
    void stallsAt(int call) {
        stallsAt = call;
    }

    /** Does something; empty if it died over it. */
    <T> Optional<T> act(Supplier<T> deed) {
        calls = 0;
        dead = false;
        queueFailed = false;
        stored.clear();
        busy = true;
        try {
            T done = deed.get();
            return dead ? Optional.empty() : Optional.of(done);
        } catch (Died _) {
            return Optional.empty();
        } finally {
            busy = false;
            diesAt = NEVER;
            stallsAt = NEVER;
        }
    }

    private Trial trial() {
        if (trial == null) {
            throw new IllegalStateException(name + " has no trial");
        }
        return trial;
    }

    /** Each call of a port goes through here first. */
    private Trial before(String call) {
        Trial current = trial();
        calls++;
        if (dead) {
            throw new Died();
        }
        if (calls == diesAt) {
            dead = true;
            current.befell(Fault.DEATH, name + " dies before it " + call);
            throw new Died();
        }
        if (calls == stallsAt) {
            current.stall(this, name + " stalls before it " + call);
        }
        current.disturb(name, call);
        return current;
    }

    @Override
    public String toString() {
        return name;
    }

    private static Exception unheard() {
        return new IOException("no answer in time");
    }

    private Acceptance send(AuditEvent event) {
        Trial current = before("sends its event");
        if (current.strikes(Fault.QUEUE_FAILS, name)) {
            queueFailed = true;
            return new Acceptance.NotAccepted(unheard());
        }
        stored.add(event);
        current.stores(event);
        if (current.strikes(Fault.QUEUE_UNHEARD, name)) {
            queueFailed = true;
            return new Acceptance.NotAccepted(unheard());
        }
        return new Acceptance.Accepted();
    }

    private final class Cache implements LinkCache {
        /** Blocks: the actor's own thread is to do everything. */
        @Override
        public CompletionStage<CacheLookup> look(ShortCode code) {
            Trial current = before("looks into the cache");
            return CompletableFuture.completedFuture(
                    current.strikes(Fault.LOOK_FAILS, name)
                            ? new CacheLookup.Unavailable(NO_ANSWER)
                            : behind.look(code).toCompletableFuture().join());
        }

        @Override
        public LeaseAttempt askLease(ShortCode code) {
            return heard(before("asks for the lease"), behind.askLease(code));
        }

        @Override
        public LeaseAttempt forceLease(ShortCode code) {
            return heard(before("takes the lease"), behind.forceLease(code));
        }

        private LeaseAttempt heard(Trial current, LeaseAttempt attempt) {
            return current.strikes(Fault.LEASE_UNHEARD, name)
                    ? new LeaseAttempt.Unreachable(NO_ANSWER)
                    : attempt;
        }

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return settled(lease, settlement, () -> behind.settle(lease, settlement));
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return settled(lease, settlement, () -> behind.settleConfirmed(lease, settlement));
        }

        private SettleOutcome settled(
                Lease lease, Settlement settlement, Supplier<SettleOutcome> write) {
            Trial current = before("settles the cache");
            if (current.strikes(Fault.WRITE_LOST, name)) {
                return new SettleOutcome.Unknown(NO_ANSWER);
            }
            if (current.strikes(Fault.WRITE_LATE, name)) {
                current.landsLater(name, () -> behind.settle(lease, settlement));
                return new SettleOutcome.Unknown(NO_ANSWER);
            }
            SettleOutcome outcome = write.get();
            return current.strikes(Fault.WRITE_UNHEARD, name)
                    ? new SettleOutcome.Unknown(NO_ANSWER)
                    : outcome;
        }
    }

    private final class Table implements LinkTable {
        @Override
        public TableRead read(ShortCode code) {
            Trial current = before("reads the table");
            return current.strikes(Fault.TABLE_FAILS, name)
                    ? new TableRead.Failed(unheard())
                    : current.table().read();
        }

        @Override
        public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
            Trial current = before("creates the link");
            if (current.strikes(Fault.TABLE_FAILS, name)) {
                return new CreateOutcome.Failed(unheard());
            }
            CreateOutcome outcome = current.creates(link, idempotency);
            return current.strikes(Fault.TABLE_UNHEARD, name)
                    ? new CreateOutcome.Failed(unheard())
                    : outcome;
        }

        @Override
        public IdempotencyRead recall(String key) {
            Trial current = before("recalls a request");
            return current.strikes(Fault.TABLE_FAILS, name)
                    ? new IdempotencyRead.Failed(unheard())
                    : current.table().recall(key);
        }

        @Override
        public ChangeOutcome change(Link before, Link after) {
            Trial current = before("changes the table");
            if (current.strikes(Fault.TABLE_FAILS, name)) {
                return new ChangeOutcome.Failed(unheard());
            }
            ChangeOutcome outcome = current.changes(name, before, after);
            return current.strikes(Fault.TABLE_UNHEARD, name)
                    ? new ChangeOutcome.Failed(unheard())
                    : outcome;
        }

        @Override
        public VisitClaim claimVisit(Link link) {
            throw new IllegalStateException("no link of a trial has a visit limit");
        }

        @Override
        public ChangeOutcome exhaust(Link before, Link after) {
            throw new IllegalStateException("no link of a trial has a visit limit");
        }
    }
}
