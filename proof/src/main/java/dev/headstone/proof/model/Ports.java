package dev.headstone.proof.model;

import dev.headstone.audit.Acceptance;
import dev.headstone.audit.AuditQueue;
import dev.headstone.cache.CacheNode;
import dev.headstone.cache.CacheRun;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.MarkOutcome;
import dev.headstone.cache.NodeView;
import dev.headstone.link.Link;
import dev.headstone.table.DeathIndex;
import dev.headstone.table.DeathPage;
import dev.headstone.table.LinkTable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one run of an actor stands on. For one thread. */
final class Ports implements Rules.Knowledge {
    private final Scripted run;
    private final Party party;
    private final LinkCache cache;
    private final TablePort port;
    private final LinkTable table;
    private final AuditQueue queue;
    private final InstantSource clock;
    private final List<String> accepted = new ArrayList<>();
    private @Nullable Delivery delivery;
    private boolean joined;

    /**
     * @param fixed what all clocks show, or empty if looking at one is a step
     * @param skew how far the actor's own clock is ahead
     */
    Ports(Scripted run, Party party, Rules rules, Optional<Instant> fixed, Duration skew) {
        this.run = run;
        this.party = party;
        this.cache = rules.cache().of(party, new CachePort(run, rules.script()));
        this.port = new TablePort(run);
        this.table = rules.table().of(party, port, this);
        this.queue = rules.queue().of(party, this::send);
        this.clock = () -> fixed.orElseGet(() -> (Instant) run.answer(new Call.Now())).plus(skew);
    }

    private Acceptance send(dev.headstone.audit.AuditEvent event) {
        Acceptance acceptance = (Acceptance) run.answer(new Call.Send(event));
        if (acceptance instanceof Acceptance.Accepted) {
            accepted.add(event.eventId());
        }
        return acceptance;
    }

    Party party() {
        return party;
    }

    LinkCache cache() {
        return cache;
    }

    LinkTable table() {
        return table;
    }

    /** What the last read of the table gave. */
    Optional<Link> lastRead() {
        return port.lastRead();
    }

    AuditQueue queue() {
        return queue;
    }

    InstantSource clock() {
        return clock;
    }

    /** The events that the queue has, by their ids. */
    List<String> accepted() {
        return accepted;
    }

    Delivery receive(int index) {
        Delivery received = (Delivery) run.answer(new Call.Receive(index));
        delivery = received;
        return received;
    }

    /** The node behind the cache. */
    CacheNode node() {
        return new CacheNode() {
            @Override
            public NodeView observe() {
                return (NodeView) run.answer(new Call.Observe());
            }

            @Override
            public long incarnation() {
                return (Long) run.answer(new Call.Incarnation());
            }

            @Override
            public MarkOutcome markSwept(CacheRun swept) {
                return (MarkOutcome) run.answer(new Call.Mark(LinkWorld.number(swept)));
            }
        };
    }

    /** The index of deaths; in one partition of it lie those of this link. */
    DeathIndex deaths() {
        return (partition, _) ->
                partition.shard() == 0
                        ? (DeathPage) run.answer(new Call.Deaths())
                        : new DeathPage.Read(List.of(), Optional.empty());
    }

    void onArrival(Runnable what) {
        run.onArrival(
                () -> {
                    joined = true;
                    what.run();
                });
    }

    /** Whether what the program says now counts. */
    boolean counts() {
        return !run.isBeyond();
    }

    @Override
    public Delivery delivery() {
        Delivery received = delivery;
        if (received == null) {
            throw new IllegalStateException("nothing was received");
        }
        return received;
    }

    @Override
    public boolean hasJoined() {
        return joined;
    }
}
