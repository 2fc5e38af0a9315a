package dev.headstone.proof.model;

import static dev.headstone.proof.model.Cast.click;
import static dev.headstone.proof.model.Cast.creation;
import static dev.headstone.proof.model.Cast.hand;
import static dev.headstone.proof.model.Cast.link;
import static dev.headstone.proof.model.Cast.process;
import static dev.headstone.proof.model.Cast.repair;
import static dev.headstone.proof.model.Cast.restore;
import static dev.headstone.proof.model.Cast.sweep;
import static dev.headstone.proof.model.Cast.takedown;
import static dev.headstone.proof.model.Cast.trustingClick;

import dev.headstone.link.Link;
import dev.headstone.proof.model.Rules.Off;
import dev.headstone.proof.model.Setup.Trait;
import dev.headstone.proof.script.MemoryRedis.Value;
import java.util.List;
import java.util.Optional;

/** Each rule of the protocol, switched off alone. */
public final class Mutants {
    private static final Optional<Link> LINK = Optional.of(link());
    private static final String THE_LEASE = "nothing is written without a lease";
    private static final String THE_TABLE = "the consumer settles to what the table says";

    private Mutants() {}

    /** All of them. */
    public static List<Mutant> all() {
        return List.of(
                needed(
                        "a reader writes only with a lease that it took before it asked the table",
                        disturbed(LINK, click(1), takedown())
                                .under(Alterations.withoutLeaseFor(Party.READER))),
                needed(
                        "a writer writes only with a lease that it took before it changed the table",
                        disturbed(LINK, takedown(), restore())
                                .under(Alterations.withoutLeaseFor(Party.WRITER))),
                needed(
                        "a repair writes only with a lease that it took before it asked the table",
                        disturbed(LINK, takedown(), restore(), repair(1))
                                .under(Alterations.withoutLeaseFor(Party.CONSUMER))),
                needed(
                        "the lease is taken before the table is consulted, not after",
                        disturbed(LINK, click(1), takedown(), restore())
                                .under(Alterations.leaseAfterTheTable())),
                needed(
                        "a writer whose settlement is refused starts again",
                        disturbed(LINK, click(1), takedown()).under(Alterations.refusalIgnored())),
                needed(
                        "a settlement is confirmed only if the key holds what was wanted",
                        Setup.of(LINK, click(1), takedown())
                                .holding(Cast.recordOf(link(), 9)) // the table was set back
                                .under(Alterations.resultIgnored())),
                needed(
                        "a timeout is unknown, never written",
                        disturbed(LINK, click(1), takedown())
                                .with(Fault.CACHE_TIMEOUT, 1)
                                .under(Alterations.timeoutIgnored())),
                needed(
                        "every read of the table is consistent",
                        disturbed(LINK, click(1), takedown())
                                .under(Rules.SHIPPED.off(Off.CONSISTENT_READS))),
                needed(
                        "what is reported is durable against a failover",
                        Setup.of(LINK, click(1), takedown())
                                .with(Fault.FAILOVER, 1)
                                .under(Alterations.nothingConfirmed())),
                needed(
                        "WAIT goes over the connection of the write: another one's proves nothing",
                        Setup.of(LINK, click(1), takedown())
                                .with(Fault.FAILOVER, 1)
                                .under(Alterations.waitElsewhere())),
                needed(
                        "a restore is confirmed as a takedown is",
                        Setup.of(LINK, takedown(), restore())
                                .with(Fault.FAILOVER, 1)
                                .under(Alterations.onlyDeathsConfirmed())),
                needed(
                        THE_TABLE + ", not to what its record says",
                        disturbed(LINK, takedown(), restore(), repair(1))
                                .under(Alterations.consumerTrustsTheRecord())),
                needed(
                        "the client never sends a command again by itself",
                        disturbed(LINK, takedown(), restore())
                                .with(Fault.CACHE_TIMEOUT, 1)
                                .under(Rules.SHIPPED.off(Off.NO_REPLAY))),
                needed(
                        "a click joins only a read that starts after it came",
                        disturbed(LINK, process(), takedown())
                                .under(Alterations.clicksJoinAnOlderRead())),
                needed(
                        "what nobody can read is replaced",
                        Setup.of(LINK, click(1), takedown())
                                .holding(new Value.Text("{}"))
                                .with(Trait.REQUESTS_SUCCEED)
                                .under(Alterations.unreadableRefused())),
                needed(
                        "success is reported only once the audit queue has its event",
                        Setup.of(LINK, takedown()).under(Alterations.successBeforeAudit())),
                needed(
                        "a cache that came back is not believed before it was swept",
                        Setup.of(LINK, click(1), takedown())
                                .with(Fault.RESTART, 1)
                                .under(Rules.SHIPPED.off(Off.TRUST))),
                needed(
                        "an old primary that still answers is not believed",
                        Setup.of(LINK, click(1), takedown())
                                .with(Fault.FAILOVER, 1)
                                .with(Trait.ISOLATED_PRIMARY)
                                .under(Rules.SHIPPED.off(Off.TRUST))),
                needed(
                        "the sweep reads its index consistently",
                        Setup.of(LINK, trustingClick(1), takedown(), sweep())
                                .with(Fault.RESTART, 1)
                                .with(Trait.PROCESSES_OBSERVE)
                                .under(Rules.SHIPPED.off(Off.CONSISTENT_INDEX))),
                covered(
                        "the newer stamp wins",
                        disturbed(LINK, click(1), takedown(), restore(), repair(1))
                                .under(Alterations.noStamps()),
                        THE_LEASE),
                covered(
                        "between equal versions the tombstone wins",
                        disturbed(LINK, click(1), click(2), hand(), repair(1))
                                .with(Trait.SETTLED_COUNTS)
                                .under(Alterations.tiesOverwrite()),
                        THE_LEASE),
                covered(
                        "the stamp begins with the incarnation",
                        disturbed(LINK, click(1), takedown(), creation(), repair(2))
                                .with(Fault.REMOVAL, 1)
                                .with(Trait.PURGES)
                                .under(Alterations.versionsOnly()),
                        "no key lives until its item is purged, and " + THE_LEASE),
                covered(
                        "a settlement uses the lease up",
                        disturbed(LINK, click(1), takedown(), restore(), repair(1))
                                .under(Alterations.leaseKept()),
                        "the lease runs out, and whoever settles takes one of his own"));
    }

    private static Setup disturbed(Optional<Link> item, Actor... actors) {
        return Setup.of(item, actors).with(Fault.EVICTION).with(Fault.LEASE_LOSS);
    }

    private static Mutant needed(String rule, Setup setup) {
        return new Mutant(rule, setup, Optional.empty());
    }

    private static Mutant covered(String rule, Setup setup, String by) {
        return new Mutant(rule, setup, Optional.of(by));
    }
}
