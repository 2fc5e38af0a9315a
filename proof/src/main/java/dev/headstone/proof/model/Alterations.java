package dev.headstone.proof.model;

import dev.headstone.audit.Acceptance;
import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.SettleScript;
import dev.headstone.cache.Settlement;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Rules with one of them broken, by what is put in front of a port or by another script. */
final class Alterations {
    private static final String SHIPPED = SettleScript.text();

    /** Settles whoever asks, and yet uses the lease up. */
    private static final String WITHOUT_LEASE =
            replaced(
                    SHIPPED,
                    """
                    if redis.call('TYPE', lease).ok ~= 'string' or redis.call('GET', lease) ~= token then
                      return {'refused'}
                    end
                    """,
                    "");

    private Alterations() {}

    private static String replaced(String text, String part, String by) {
        if (!text.contains(part)) {
            throw new IllegalStateException("settle.lua has changed: it has no " + part);
        }
        return text.replace(part, by);
    }

    /** Neither of these parties takes a lease; what they settle is not refused. */
    static Rules withoutLeaseFor(Party... parties) {
        Set<Party> without = Set.of(parties);
        return Rules.SHIPPED.cache(
                (party, cache) -> without.contains(party) ? new Leaseless(cache) : cache);
    }

    /** The lease is taken only when there is something to settle: after the table was asked. */
    static Rules leaseAfterTheTable() {
        return Rules.SHIPPED.cache((party, cache) -> new Belated(party, cache));
    }

    /** A refused settlement counts as done. */
    static Rules refusalIgnored() {
        return Rules.SHIPPED.cache(
                (_, cache) ->
                        new Hearing(cache) {
                            @Override
                            SettleOutcome heard(SettleOutcome outcome, Settlement wanted) {
                                return outcome instanceof SettleOutcome.Refused
                                        ? new SettleOutcome.Accepted(stampOf(wanted))
                                        : outcome;
                            }
                        });
    }

    /** Whatever the key holds afterwards counts as what was wanted. */
    static Rules resultIgnored() {
        return Rules.SHIPPED.cache(
                (_, cache) ->
                        new Hearing(cache) {
                            @Override
                            SettleOutcome heard(SettleOutcome outcome, Settlement wanted) {
                                return outcome instanceof SettleOutcome.Accepted
                                        ? new SettleOutcome.Accepted(stampOf(wanted))
                                        : outcome;
                            }
                        });
    }

    /** A timeout counts as done: "unknown" taken for "written". */
    static Rules timeoutIgnored() {
        return Rules.SHIPPED.cache(
                (_, cache) ->
                        new Hearing(cache) {
                            @Override
                            SettleOutcome heard(SettleOutcome outcome, Settlement wanted) {
                                return outcome instanceof SettleOutcome.Unknown
                                        ? new SettleOutcome.Accepted(stampOf(wanted))
                                        : outcome;
                            }
                        });
    }

    private static Optional<Stamp> stampOf(Settlement wanted) {
        return wanted instanceof Settlement.Write(var record, var _)
                ? Optional.of(record.stamp())
                : Optional.empty();
    }

    /** Nobody waits for the replica. */
    static Rules nothingConfirmed() {
        return Rules.SHIPPED.cache((_, cache) -> new Unconfirmed(cache));
    }

    /** {@code WAIT} is sent over a connection that has written nothing: it is content at once. */
    static Rules waitElsewhere() {
        return nothingConfirmed();
    }

    /** Only requests that end the link wait for the replica. */
    static Rules onlyDeathsConfirmed() {
        return Rules.SHIPPED.cache(
                (party, cache) ->
                        party == Party.WRITER
                                ? new Front(cache) {
                                    @Override
                                    public SettleOutcome settleConfirmed(
                                            Lease lease, Settlement settlement) {
                                        return isDeath(settlement)
                                                ? super.settleConfirmed(lease, settlement)
                                                : settle(lease, settlement);
                                    }
                                }
                                : new Unconfirmed(cache));
    }

    private static boolean isDeath(Settlement settlement) {
        return settlement instanceof Settlement.Write(var record, var _)
                && record.stamp().deleted();
    }

    /** The consumer writes what its record says, and does not ask the table. */
    static Rules consumerTrustsTheRecord() {
        return Rules.SHIPPED.table(
                (party, table, actor) ->
                        party == Party.CONSUMER
                                ? new Reading(table) {
                                    @Override
                                    public TableRead read(ShortCode code) {
                                        return actor.delivery()
                                                .after()
                                                .<TableRead>map(TableRead.Found::new)
                                                .orElseGet(TableRead.Absent::new);
                                    }
                                }
                                : table);
    }

    /** A click that comes while a read is under way takes what that read gives. */
    static Rules clicksJoinAnOlderRead() {
        return Rules.SHIPPED.table(
                (party, table, actor) ->
                        party == Party.READER
                                ? new Reading(table) {
                                    private @Nullable TableRead first;

                                    @Override
                                    public TableRead read(ShortCode code) {
                                        TableRead earlier = first;
                                        if (earlier != null && actor.hasJoined()) {
                                            return earlier;
                                        }
                                        TableRead read = table.read(code);
                                        first = read;
                                        return read;
                                    }
                                }
                                : table);
    }

    /** Events are sent in the background: they count as accepted before they are. */
    static Rules successBeforeAudit() {
        return Rules.SHIPPED.queue((_, _) -> _ -> new Acceptance.Accepted());
    }

    /** Whoever writes last wins. */
    static Rules noStamps() {
        String text = replaced(SHIPPED, "if held == nil or held <= stamp then", "if true then");
        text = replaced(text, "what == 'drop-older' and held < stamp", "what == 'drop-older'");
        return Rules.SHIPPED.script(
                replaced(text, "what == 'drop-up-to' and held <= stamp", "what == 'drop-up-to'"));
    }

    /** Between equal versions the last one wins, tombstone or not. */
    static Rules tiesOverwrite() {
        return Rules.SHIPPED.script(
                replaced(
                        SHIPPED,
                        "if held == nil or held <= stamp then",
                        "if held == nil or string.sub(held, 1, 33) <= string.sub(stamp, 1, 33) then"));
    }

    /** Versions alone: nothing tells a re-created code from the one before it. */
    static Rules versionsOnly() {
        return Rules.SHIPPED.script(
                replaced(
                        SHIPPED,
                        "if held == nil or held <= stamp then",
                        "if held == nil or string.sub(held, 15) <= string.sub(stamp, 15) then"));
    }

    /** What nobody can read stays where it lies. */
    static Rules unreadableRefused() {
        return Rules.SHIPPED.script(
                replaced(
                        SHIPPED,
                        "if what == 'write' then\n",
                        """
                        if kind ~= 'none' and held == nil then
                          return {'accepted', ''}
                        end
                        if what == 'write' then
                        """));
    }

    /** The lease stays where it is when it has been used. */
    static Rules leaseKept() {
        return Rules.SHIPPED.script(replaced(SHIPPED, "redis.call('DEL', lease)\n", ""));
    }

    /** A port with another in front of it. */
    private static class Front implements LinkCache {
        private final CachePort cache;

        private Front(CachePort cache) {
            this.cache = cache;
        }

        CachePort behind() {
            return cache;
        }

        @Override
        public CompletionStage<CacheLookup> look(ShortCode code) {
            return cache.look(code);
        }

        @Override
        public LeaseAttempt askLease(ShortCode code) {
            return cache.askLease(code);
        }

        @Override
        public LeaseAttempt forceLease(ShortCode code) {
            return cache.forceLease(code);
        }

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return cache.settle(lease, settlement);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return cache.settleConfirmed(lease, settlement);
        }
    }

    /** An actor that hears something else than what was answered. */
    private abstract static class Hearing extends Front {
        private Hearing(CachePort cache) {
            super(cache);
        }

        abstract SettleOutcome heard(SettleOutcome outcome, Settlement wanted);

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return heard(super.settle(lease, settlement), settlement);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return heard(super.settleConfirmed(lease, settlement), settlement);
        }
    }

    private static final class Unconfirmed extends Front {
        private Unconfirmed(CachePort cache) {
            super(cache);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return settle(lease, settlement);
        }
    }

    private static final class Leaseless extends Front {
        private Leaseless(CachePort cache) {
            super(cache);
        }

        @Override
        public LeaseAttempt askLease(ShortCode code) {
            return forceLease(code);
        }

        @Override
        public LeaseAttempt forceLease(ShortCode code) {
            return new LeaseAttempt.Taken(new Lease(code, Tokens.NEVER_TAKEN));
        }

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return behind().settle(lease, settlement, WITHOUT_LEASE, false);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return behind().settle(lease, settlement, WITHOUT_LEASE, true);
        }
    }

    private static final class Belated extends Front {
        private final Party party;

        private Belated(Party party, CachePort cache) {
            super(cache);
            this.party = party;
        }

        @Override
        public LeaseAttempt askLease(ShortCode code) {
            return forceLease(code);
        }

        @Override
        public LeaseAttempt forceLease(ShortCode code) {
            return new LeaseAttempt.Taken(new Lease(code, Tokens.NEVER_TAKEN));
        }

        @Override
        public SettleOutcome settle(Lease lease, Settlement settlement) {
            return settle(lease, settlement, false);
        }

        @Override
        public SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
            return settle(lease, settlement, true);
        }

        private SettleOutcome settle(Lease never, Settlement settlement, boolean confirmed) {
            LeaseAttempt attempt =
                    party == Party.READER
                            ? behind().askLease(never.code())
                            : behind().forceLease(never.code());
            return switch (attempt) {
                case LeaseAttempt.Taken(Lease lease) ->
                        confirmed
                                ? behind().settleConfirmed(lease, settlement)
                                : behind().settle(lease, settlement);
                case LeaseAttempt.Held _ -> new SettleOutcome.Refused();
                case LeaseAttempt.Unreachable(String why) -> new SettleOutcome.Unknown(why);
            };
        }
    }

    /** A table with other reads. */
    private abstract static class Reading implements LinkTable {
        private final LinkTable table;

        private Reading(LinkTable table) {
            this.table = table;
        }

        @Override
        public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
            return table.create(link, idempotency);
        }

        @Override
        public IdempotencyRead recall(String key) {
            return table.recall(key);
        }

        @Override
        public ChangeOutcome change(Link before, Link after) {
            return table.change(before, after);
        }

        @Override
        public VisitClaim claimVisit(Link link) {
            return table.claimVisit(link);
        }

        @Override
        public ChangeOutcome exhaust(Link before, Link after) {
            return table.exhaust(before, after);
        }
    }
}
