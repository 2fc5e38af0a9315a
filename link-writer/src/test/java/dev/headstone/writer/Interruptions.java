package dev.headstone.writer;

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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Ports that let something else happen between any two calls of whoever uses them: as if they had
 * been slow, at a place that a test chooses.
 */
final class Interruptions {
    private final LinkTable table;
    private final LinkCache cache;
    private final AuditQueue queue;
    private int callsToGo = -1;
    private Runnable meanwhile = () -> {};

    Interruptions(LinkTable table, LinkCache cache, AuditQueue queue) {
        this.table = table;
        this.cache = cache;
        this.queue = queue;
    }

    /** Before the call of this number, from 0 on, {@code meanwhile} happens, once. */
    void before(int call, Runnable happening) {
        callsToGo = call;
        meanwhile = happening;
    }

    /** Nothing more is to happen. */
    void none() {
        callsToGo = -1;
    }

    /** Whether it has happened. */
    boolean happened() {
        return callsToGo < 0;
    }

    private <T> T interrupted(Supplier<T> call) {
        if (callsToGo >= 0 && callsToGo-- == 0) {
            meanwhile.run();
        }
        return call.get();
    }

    AuditQueue queue() {
        return event -> interrupted(() -> queue.send(event));
    }

    LinkCache cache() {
        return new LinkCache() {
            @Override
            public CompletionStage<CacheLookup> look(ShortCode code) {
                return interrupted(() -> cache.look(code));
            }

            @Override
            public LeaseAttempt askLease(ShortCode code) {
                return interrupted(() -> cache.askLease(code));
            }

            @Override
            public LeaseAttempt forceLease(ShortCode code) {
                return interrupted(() -> cache.forceLease(code));
            }

            @Override
            public SettleOutcome settle(Lease lease, Settlement settlement) {
                return interrupted(() -> cache.settle(lease, settlement));
            }

            @Override
            public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
                return interrupted(() -> cache.settleConfirmed(lease, settlement));
            }
        };
    }

    LinkTable table() {
        return new LinkTable() {
            @Override
            public TableRead read(ShortCode code) {
                return interrupted(() -> table.read(code));
            }

            @Override
            public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
                return interrupted(() -> table.create(link, idempotency));
            }

            @Override
            public IdempotencyRead recall(String key) {
                return interrupted(() -> table.recall(key));
            }

            @Override
            public ChangeOutcome change(Link before, Link after) {
                return interrupted(() -> table.change(before, after));
            }

            @Override
            public VisitClaim claimVisit(Link link) {
                return interrupted(() -> table.claimVisit(link));
            }

            @Override
            public ChangeOutcome exhaust(Link before, Link after) {
                return interrupted(() -> table.exhaust(before, after));
            }
        };
    }
}
