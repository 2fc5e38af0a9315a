package dev.headstone.proof.model;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.cache.Settler;
import dev.headstone.cache.TrustRule;
import dev.headstone.cache.TrustedLinkCache;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.redirect.RedirectRequest;
import dev.headstone.redirect.RedirectService;
import dev.headstone.redirect.RedirectSettings;
import dev.headstone.redirect.Visitor;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Clicks of one process. The service takes milliseconds to set up, so that runs share one; between
 * runs it holds nothing but a count of clicks that were never answered, because their history ended
 * where no answer can follow. For one thread.
 */
final class Clicks implements Program {
    /** Far below the number of unanswered clicks at which a service sheds. */
    private static final int RUNS_OF_A_SERVICE = 1_000;

    private final int number;
    private final boolean another;
    private final boolean trusting;
    private @Nullable RedirectService service;
    private @Nullable Ports current;
    private int runs;

    /**
     * @param number which one of the world's clicks the first one is
     * @param another whether a second one may come while the first is being answered
     * @param trusting whether the process uses hits only as the shipped rule of trust allows, and
     *     observes the node once, before its click comes
     */
    Clicks(int number, boolean another, boolean trusting) {
        this.number = number;
        this.another = another;
        this.trusting = trusting;
    }

    @Override
    public void run(Ports ports, List<Report> reports) {
        current = ports;
        RedirectService used = trusting ? throughTrust(ports) : service();
        if (another) {
            ports.onArrival(() -> answer(used, ports, reports, number + 1));
        }
        answer(used, ports, reports, number);
    }

    /** What is known of the node belongs to one run, and so does the cache that knows it. */
    private RedirectService throughTrust(Ports ports) {
        TrustedLinkCache trusted =
                new TrustedLinkCache(
                        ports.cache(),
                        ports.node(),
                        TrustRule.VERIFIED,
                        () -> 0,
                        ports.clock(),
                        _ -> {});
        trusted.observe();
        return service().lookingThrough(trusted);
    }

    private RedirectService service() {
        RedirectService known = service;
        if (known != null && runs++ < RUNS_OF_A_SERVICE) {
            return known;
        }
        LinkCache cache = new CurrentCache();
        LinkTable table = new CurrentTable();
        InstantSource clock = () -> ports().clock().instant();
        RedirectService fresh =
                new RedirectService(
                        cache,
                        table,
                        new Settler(cache, table, clock, Programs.BUDGET, () -> {}),
                        clock,
                        Runnable::run,
                        () -> "visit-" + number,
                        RedirectSettings.DEFAULT,
                        new CompositeMeterRegistry());
        service = fresh;
        runs = 0;
        return fresh;
    }

    private static void answer(
            RedirectService service, Ports ports, List<Report> reports, int number) {
        Instant began = ports.clock().instant();
        service.answer(new RedirectRequest(Programs.CODE.value(), false, Visitor.UNKNOWN))
                .thenAccept(
                        answer -> {
                            if (ports.counts()) {
                                boolean redirect = answer.location().isPresent();
                                reports.add(
                                        new Report.Answered(
                                                number, answer.status(), redirect, began));
                            }
                        });
    }

    private Ports ports() {
        Ports ports = current;
        if (ports == null) {
            throw new IllegalStateException("no run is under way");
        }
        return ports;
    }

    private final class CurrentCache implements LinkCache {
        @Override
        public CompletionStage<CacheLookup> look(ShortCode code) {
            return ports().cache().look(code);
        }

        @Override
        public LeaseAttempt askLease(ShortCode code) {
            return ports().cache().askLease(code);
        }

        @Override
        public LeaseAttempt forceLease(ShortCode code) {
            return ports().cache().forceLease(code);
        }

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return ports().cache().settle(lease, settlement);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return ports().cache().settleConfirmed(lease, settlement);
        }
    }

    private final class CurrentTable implements LinkTable {
        @Override
        public TableRead read(ShortCode code) {
            return ports().table().read(code);
        }

        @Override
        public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
            return ports().table().create(link, idempotency);
        }

        @Override
        public IdempotencyRead recall(String key) {
            return ports().table().recall(key);
        }

        @Override
        public ChangeOutcome change(Link before, Link after) {
            return ports().table().change(before, after);
        }

        @Override
        public VisitClaim claimVisit(Link link) {
            return ports().table().claimVisit(link);
        }

        @Override
        public ChangeOutcome exhaust(Link before, Link after) {
            return ports().table().exhaust(before, after);
        }
    }
}
