package dev.headstone.redirect;

import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.Lease;
import dev.headstone.cache.LeaseAttempt;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.Settlement;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Link;
import dev.headstone.link.RedirectDecision;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import dev.headstone.link.Standing.Alive;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * One consistent read of the table on behalf of clicks, and the populating of the cache that goes
 * with it: the lease first, or nothing is written. Blocks; holds no state.
 */
final class TableReading implements SharedReads.Reader<TableReading.Result> {
    /**
     * What a read gave.
     *
     * @param stored whether it brought the cache in line
     */
    record Result(TableRead item, boolean stored) {}

    private final LinkCache cache;
    private final LinkTable table;
    private final InstantSource clock;
    private final RedirectMeters meters;

    TableReading(LinkCache cache, LinkTable table, InstantSource clock, RedirectMeters meters) {
        this.cache = cache;
        this.table = table;
        this.clock = clock;
        this.meters = meters;
    }

    @Override
    public Result read(ShortCode code, boolean populate) {
        return populate ? readAndPopulate(code) : new Result(read(code), false);
    }

    private Result readAndPopulate(ShortCode code) {
        return switch (cache.askLease(code)) {
            case LeaseAttempt.Taken(Lease lease) -> readAndSettle(lease);
            case LeaseAttempt.Held _ -> readOnly(code, Populate.HELD);
            case LeaseAttempt.Unreachable _ -> readOnly(code, Populate.FAILED);
        };
    }

    private Result readOnly(ShortCode code, Populate why) {
        meters.populated(why);
        return new Result(read(code), false);
    }

    private Result readAndSettle(Lease lease) {
        Instant started = clock.instant();
        TableRead item = read(lease.code());
        Settlement settlement = settlementOf(item, started, clock.instant());
        Populate result = settled(settlement, cache.settle(lease, settlement));
        meters.populated(result);
        return new Result(item, result.stored());
    }

    /** Reads consistently. A destination that must not stand in a header is no destination. */
    TableRead read(ShortCode code) {
        TableRead item = table.read(code);
        return item instanceof TableRead.Found(Link link) && !isServable(link)
                ? new TableRead.Unreadable("attribute 'long_url' is no destination")
                : item;
    }

    private static boolean isServable(Link link) {
        return !(link.standing() instanceof Alive)
                || link.longUrl().filter(TableReading::isLocation).isPresent();
    }

    private static boolean isLocation(String url) {
        return (url.startsWith("https://") || url.startsWith("http://"))
                && url.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    private static Settlement settlementOf(TableRead item, Instant started, Instant now) {
        return switch (item) {
            case TableRead.Found(Link link) -> settlementOf(link, started, now);
            case TableRead.Absent _, TableRead.Unreadable _, TableRead.Failed _ ->
                    new Settlement.Release();
        };
    }

    private static Settlement settlementOf(Link link, Instant started, Instant now) {
        return switch (RedirectDecision.of(Optional.of(link), now)) {
            case RedirectDecision.Redirect _, RedirectDecision.Gone _ -> {
                CacheRecord record = CacheRecord.of(link, started, now);
                yield new Settlement.Write(record, Freshness.keyLife(record.staleUntil(), now));
            }
            case RedirectDecision.Expired _, RedirectDecision.Unknown _ -> new Settlement.Release();
        };
    }

    private static Populate settled(Settlement settlement, SettleOutcome outcome) {
        return switch (outcome) {
            case SettleOutcome.Accepted(Optional<Stamp> holds) -> accepted(settlement, holds);
            case SettleOutcome.Refused _ -> Populate.REFUSED;
            case SettleOutcome.Unknown _ -> Populate.FAILED;
        };
    }

    private static Populate accepted(Settlement settlement, Optional<Stamp> holds) {
        if (!(settlement instanceof Settlement.Write(CacheRecord record, var _))) {
            return Populate.RELEASED;
        }
        if (!holds.equals(Optional.of(record.stamp()))) {
            return Populate.SUPERSEDED;
        }
        return record.stamp().deleted() ? Populate.BURIED : Populate.STORED;
    }
}
