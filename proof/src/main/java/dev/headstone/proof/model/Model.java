package dev.headstone.proof.model;

import static dev.headstone.proof.model.Cast.anotherTakedown;
import static dev.headstone.proof.model.Cast.click;
import static dev.headstone.proof.model.Cast.confirm;
import static dev.headstone.proof.model.Cast.creation;
import static dev.headstone.proof.model.Cast.deactivate;
import static dev.headstone.proof.model.Cast.hand;
import static dev.headstone.proof.model.Cast.limited;
import static dev.headstone.proof.model.Cast.link;
import static dev.headstone.proof.model.Cast.process;
import static dev.headstone.proof.model.Cast.reactivate;
import static dev.headstone.proof.model.Cast.repair;
import static dev.headstone.proof.model.Cast.repairAgain;
import static dev.headstone.proof.model.Cast.restore;
import static dev.headstone.proof.model.Cast.sweep;
import static dev.headstone.proof.model.Cast.takedown;
import static dev.headstone.proof.model.Cast.takedownAgain;
import static dev.headstone.proof.model.Cast.trustingClick;
import static dev.headstone.proof.model.Cast.until;
import static dev.headstone.proof.model.Cast.youngLink;
import static dev.headstone.proof.model.Invariant.DEAD_SERVED;
import static dev.headstone.proof.model.Invariant.LIVE_HIDDEN;

import dev.headstone.proof.model.Rules.Off;
import dev.headstone.proof.model.Setup.Trait;
import dev.headstone.proof.script.MemoryRedis.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of the model check. The first fifteen are those of the protocol: what holds under which
 * rules, and what breaks without them. The others look at the shipped rules from other sides.
 */
public final class Model {
    /** How large the worlds are. */
    public enum Size {
        /** Those that every build checks: seconds. */
        SMALL,
        /** With every repair and more faults: minutes, and up to a gigabyte. */
        FULL
    }

    private static final Party[] WRITERS = {Party.WRITER, Party.CONSUMER, Party.SWEEP};

    private Model() {}

    /** All rows in full size. */
    public static List<Row> rows() {
        return rows(Size.FULL);
    }

    /** All rows in that size. */
    public static List<Row> rows(Size size) {
        List<Row> rows = new ArrayList<>(ofTheProtocol(size));
        rows.addAll(ofTheShippedRules(size));
        return List.copyOf(rows);
    }

    private static List<Row> ofTheProtocol(Size size) {
        boolean full = size == Size.FULL;
        Rules stamps = Alterations.withoutLeaseFor(Party.values());
        Rules readersLease = Alterations.withoutLeaseFor(WRITERS);
        return List.of(
                new Row("stamps only, no faults", small(stamps)),
                new Row("stamps only, evictions", small(stamps).with(Fault.EVICTION), DEAD_SERVED),
                new Row(
                        "readers lease; evictions, late writes",
                        disturbed(small(readersLease)).with(Fault.CACHE_TIMEOUT, full ? 2 : 1)),
                new Row(
                        "readers lease, eventually consistent reads",
                        disturbed(small(readersLease.off(Off.CONSISTENT_READS))),
                        DEAD_SERVED),
                new Row(
                        "readers lease; a restore",
                        disturbed(restored(full, readersLease)),
                        LIVE_HIDDEN),
                new Row(
                        "all lease; a restore, evictions, a late write",
                        disturbed(restored(full, Rules.SHIPPED)).with(Fault.CACHE_TIMEOUT, 1)),
                new Row("all lease, two clicks", disturbed(twoClicks(full))),
                new Row(
                        "all lease, the consumer trusts the record",
                        disturbed(restored(full, Alterations.consumerTrustsTheRecord())),
                        LIVE_HIDDEN),
                new Row(
                        "all lease, no stamps",
                        disturbed(restored(full, Alterations.noStamps()))
                                .with(Fault.CACHE_TIMEOUT, 1)),
                new Row(
                        "all lease, a failover, nothing confirmed",
                        brief(full, Alterations.nothingConfirmed()).with(Fault.FAILOVER, 1),
                        DEAD_SERVED,
                        LIVE_HIDDEN),
                new Row(
                        "all lease, a failover, only the takedown confirmed",
                        brief(full, Alterations.onlyDeathsConfirmed()).with(Fault.FAILOVER, 1),
                        LIVE_HIDDEN),
                new Row(
                        "all lease, a failover, all confirmed",
                        failover(full, restored(full, Rules.SHIPPED))),
                new Row(
                        "all lease, an old snapshot, no trust",
                        brief(full, Rules.SHIPPED.off(Off.TRUST)).with(Fault.RESTART, 1),
                        DEAD_SERVED,
                        LIVE_HIDDEN),
                new Row(
                        "all lease, an old snapshot, trust, a sweep over a lagging index",
                        swept(full, Rules.SHIPPED.off(Off.CONSISTENT_INDEX)),
                        DEAD_SERVED),
                new Row(
                        "all lease, an old snapshot, trust, a sweep over a consistent index",
                        swept(full, Rules.SHIPPED)));
    }

    private static List<Row> ofTheShippedRules(Size size) {
        boolean full = size == Size.FULL;
        Instant end = LinkWorld.START.plus(Duration.ofHours(1));
        Optional<dev.headstone.link.Link> link = Optional.of(link());
        return List.of(
                new Row(
                        "two takedowns by two operators",
                        disturbed(
                                full
                                        ? Setup.of(
                                                link,
                                                click(1),
                                                takedown(),
                                                anotherTakedown(),
                                                restore())
                                        : Setup.of(link, click(1), takedown(), anotherTakedown()))),
                new Row(
                        "the same takedown twice, while cache, table and queue time out",
                        disturbed(Setup.of(link, click(1), takedown(), takedownAgain()))
                                .with(Fault.CACHE_TIMEOUT, 1)
                                .with(Fault.TABLE_TIMEOUT, full ? 2 : 0)
                                .with(Fault.QUEUE_FAILURE, full ? 2 : 1)),
                new Row(
                        "a change that lands late in the table",
                        disturbed(full ? restored(false, Rules.SHIPPED) : small(Rules.SHIPPED))
                                .with(Fault.TABLE_TIMEOUT, 1)),
                new Row(
                        "a takedown and a restore while the queue fails",
                        restored(full, Rules.SHIPPED).with(Fault.QUEUE_FAILURE)),
                new Row(
                        "an owner's switch, and a colleague's confirm",
                        disturbed(Setup.of(link, click(1), deactivate(), reactivate(), confirm()))),
                new Row(
                        "records twice, late and out of order",
                        disturbed(
                                        full
                                                ? Setup.of(
                                                        link,
                                                        takedown(),
                                                        restore(),
                                                        repair(2),
                                                        repair(1),
                                                        repairAgain(1))
                                                : Setup.of(
                                                        link,
                                                        takedown(),
                                                        restore(),
                                                        repair(1),
                                                        repairAgain(1)))
                                .with(Trait.SETTLED_COUNTS)),
                new Row(
                        "a create beside clicks on its alias",
                        disturbed(
                                        Setup.of(
                                                Optional.empty(),
                                                click(1),
                                                click(2),
                                                creation(),
                                                repair(1)))
                                .with(Fault.CACHE_TIMEOUT, 1)),
                new Row(
                        "two clicks that share a read, beside a takedown",
                        disturbed(Setup.of(link, process(), takedown(), restore()))),
                new Row(
                        "two clicks that share a read, beside a create",
                        disturbed(Setup.of(Optional.empty(), process(), creation()))),
                new Row(
                        "a live item is removed by hand",
                        disturbed(Setup.of(link, click(1), takedown(), repair(1), repair(2)))
                                .with(Fault.REMOVAL, 1)
                                .with(Trait.SETTLED_COUNTS)),
                new Row(
                        "a code that is created again after its purge, and the removal comes late",
                        disturbed(
                                        full
                                                ? Setup.of(
                                                        link,
                                                        click(1),
                                                        takedown(),
                                                        creation(),
                                                        repair(1),
                                                        repair(2))
                                                : Setup.of(
                                                        link,
                                                        click(1),
                                                        takedown(),
                                                        creation(),
                                                        repair(2)))
                                .with(Fault.REMOVAL, 1)
                                .with(Trait.PURGES)),
                new Row(
                        "a code that is created again after a removal by hand",
                        Setup.of(link, click(1), takedown(), creation()).with(Fault.REMOVAL, 1)),
                // Known: a create does not wait for its priming, and purges leave no tombstone.
                new Row(
                        "a code that is created again after a removal by hand, beside a consumer"
                                + " that takes its lease away each time",
                        Setup.of(link, click(1), takedown(), creation(), repair(2))
                                .with(Fault.REMOVAL, 1),
                        LIVE_HIDDEN),
                new Row(
                        "a code that is created again, by a clock that is minutes behind, after a"
                                + " removal by hand",
                        Setup.of(
                                        Optional.of(youngLink()),
                                        click(1),
                                        takedown(),
                                        creation().skewed(Duration.ofMinutes(-10)),
                                        repair(2))
                                .with(Fault.REMOVAL, 1),
                        LIVE_HIDDEN),
                new Row(
                        "a takedown whose clock is minutes ahead",
                        disturbed(
                                Setup.of(
                                        Optional.of(youngLink()),
                                        click(1),
                                        takedown().skewed(Duration.ofMinutes(10)),
                                        restore(),
                                        repair(1).skewed(Duration.ofMinutes(-10))))),
                new Row(
                        "equal versions: an edit by hand that kills",
                        disturbed(Setup.of(link, click(1), click(2), hand(), repair(1)))
                                .with(Trait.SETTLED_COUNTS)),
                new Row(
                        "expiry at every instant",
                        disturbed(
                                        full
                                                ? Setup.of(
                                                        Optional.of(until(end)),
                                                        click(1),
                                                        click(2).skewed(Duration.ofMinutes(-5)))
                                                : Setup.of(Optional.of(until(end)), click(1)))
                                .at(LinkWorld.START, end.minusMillis(1), end, end.plusMillis(1))),
                new Row(
                        "a takedown of a link that expires",
                        disturbed(Setup.of(Optional.of(until(end)), click(1), takedown()))
                                .at(LinkWorld.START, end)),
                new Row(
                        "a click that sleeps for longer than its tombstone lies",
                        disturbed(
                                        full
                                                ? small(Rules.SHIPPED)
                                                : Setup.of(link, click(1), takedown()))
                                .at(LinkWorld.START, LinkWorld.START.plus(Duration.ofHours(25)))),
                new Row(
                        "two visits for three clicks",
                        disturbed(Setup.of(Optional.of(limited(2)), click(1), click(2), click(3)))
                                .with(Fault.TABLE_TIMEOUT, 1)),
                new Row(
                        "something under the key that is no record",
                        Setup.of(link, click(1), takedown())
                                .holding(new Value.Text("{\"state\":\"active\"}"))
                                .with(Trait.REQUESTS_SUCCEED)),
                new Row(
                        "something under the key that is no text",
                        Setup.of(link, click(1), takedown())
                                .holding(new Value.Foreign("list"))
                                .with(Trait.REQUESTS_SUCCEED)),
                new Row(
                        "an isolated old primary that still answers, no trust",
                        brief(full, Rules.SHIPPED.off(Off.TRUST))
                                .with(Fault.FAILOVER, 1)
                                .with(Trait.ISOLATED_PRIMARY),
                        DEAD_SERVED,
                        LIVE_HIDDEN),
                new Row(
                        "an isolated old primary that still answers, trust",
                        (full
                                        ? Setup.of(link, click(1), takedown(), restore(), sweep())
                                        : Setup.of(link, click(1), takedown(), sweep()))
                                .with(Fault.FAILOVER, 1)
                                .with(Trait.ISOLATED_PRIMARY)));
    }

    private static Setup small(Rules rules) {
        return Setup.of(Optional.of(link()), click(1), takedown(), repair(1)).under(rules);
    }

    private static Setup restored(boolean full, Rules rules) {
        return (full
                        ? Setup.of(
                                Optional.of(link()),
                                click(1),
                                takedown(),
                                restore(),
                                repair(1),
                                repair(2))
                        : Setup.of(Optional.of(link()), click(1), takedown(), restore(), repair(1)))
                .under(rules);
    }

    /** Where a repair makes no difference to what breaks, the small world does without it. */
    private static Setup brief(boolean full, Rules rules) {
        return full
                ? restored(true, rules)
                : Setup.of(Optional.of(link()), click(1), takedown(), restore()).under(rules);
    }

    private static Setup twoClicks(boolean full) {
        return full
                ? Setup.of(
                        Optional.of(link()), click(1), click(2), takedown(), restore(), repair(1))
                : Setup.of(Optional.of(link()), click(1), click(2), takedown(), restore());
    }

    /** Without a restore where no such rule would save it: a lagging index misses every death. */
    private static Setup swept(boolean full, Rules rules) {
        boolean restores = full && rules.off().isEmpty();
        return (restores
                        ? Setup.of(
                                Optional.of(link()),
                                trustingClick(1),
                                takedown(),
                                restore(),
                                sweep())
                        : Setup.of(Optional.of(link()), trustingClick(1), takedown(), sweep()))
                .under(rules)
                .with(Fault.RESTART, full ? 2 : 1)
                .with(Trait.PROCESSES_OBSERVE);
    }

    private static Setup failover(boolean full, Setup setup) {
        return full
                ? setup.with(Fault.FAILOVER, 1).with(Fault.EVICTION, 1)
                : setup.with(Fault.FAILOVER, 1);
    }

    private static Setup disturbed(Setup setup) {
        return setup.with(Fault.EVICTION).with(Fault.LEASE_LOSS);
    }
}
