package dev.headstone.proof.model;

import static dev.headstone.proof.model.Cast.click;
import static dev.headstone.proof.model.Cast.link;
import static dev.headstone.proof.model.Cast.repair;
import static dev.headstone.proof.model.Cast.restore;
import static dev.headstone.proof.model.Cast.sweep;
import static dev.headstone.proof.model.Cast.takedown;
import static dev.headstone.proof.model.Invariant.DEAD_SERVED;
import static dev.headstone.proof.model.Invariant.LIVE_HIDDEN;

import dev.headstone.proof.model.Rules.Off;
import java.util.List;
import java.util.Optional;

/**
 * The rows of the model check. The first fifteen are those of the protocol: what holds under which
 * rules, and what breaks without them.
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
        return ofTheProtocol(size);
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
                        restored(full, Alterations.nothingConfirmed()).with(Fault.FAILOVER, 1),
                        DEAD_SERVED,
                        LIVE_HIDDEN),
                new Row(
                        "all lease, a failover, only the takedown confirmed",
                        restored(full, Alterations.onlyDeathsConfirmed()).with(Fault.FAILOVER, 1),
                        LIVE_HIDDEN),
                new Row(
                        "all lease, a failover, all confirmed",
                        failover(full, restored(full, Rules.SHIPPED))),
                new Row(
                        "all lease, an old snapshot, no trust",
                        restored(full, Rules.SHIPPED.off(Off.TRUST)).with(Fault.RESTART, 1),
                        DEAD_SERVED,
                        LIVE_HIDDEN),
                new Row(
                        "all lease, an old snapshot, trust, a sweep over a lagging index",
                        swept(full, Rules.SHIPPED.off(Off.CONSISTENT_INDEX)),
                        full
                                ? new Invariant[] {DEAD_SERVED, LIVE_HIDDEN}
                                : new Invariant[] {DEAD_SERVED}),
                new Row(
                        "all lease, an old snapshot, trust, a sweep over a consistent index",
                        swept(full, Rules.SHIPPED)));
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

    private static Setup twoClicks(boolean full) {
        return full
                ? Setup.of(
                        Optional.of(link()), click(1), click(2), takedown(), restore(), repair(1))
                : Setup.of(Optional.of(link()), click(1), click(2), takedown(), restore());
    }

    private static Setup swept(boolean full, Rules rules) {
        return (full
                        ? Setup.of(Optional.of(link()), click(1), takedown(), restore(), sweep())
                        : Setup.of(Optional.of(link()), click(1), takedown(), sweep()))
                .under(rules)
                .with(Fault.RESTART, 1);
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
