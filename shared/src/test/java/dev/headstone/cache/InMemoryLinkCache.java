package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A cache in memory that behaves as the real one does, lives and leases and unreadable values
 * included, and can be told to fail. Held to {@link LinkCacheContract} beside the real one. Safe
 * for use by several threads.
 */
public final class InMemoryLinkCache implements LinkCache {
    private final InstantSource clock;
    private final Map<ShortCode, Entry> records = new HashMap<>();
    private final Map<ShortCode, Entry> leases = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final Set<ShortCode> unreachableFor = new HashSet<>();
    private boolean unreachable;
    private boolean unconfirmed;
    private int tokens;

    private static final class Entry {
        private final byte[] value;
        private final @Nullable Instant until;

        private Entry(byte[] value, @Nullable Instant until) {
            this.value = value.clone();
            this.until = until;
        }

        private static Entry of(byte[] value, @Nullable Instant until) {
            return new Entry(value, until);
        }

        private byte[] value() {
            return value.clone();
        }

        private @Nullable Instant until() {
            return until;
        }
    }

    /** A cache whose keys age by {@code clock}. */
    public InMemoryLinkCache(InstantSource clock) {
        this.clock = clock;
    }

    /** From now on nothing answers, or everything does again. */
    public synchronized void unreachable(boolean yes) {
        unreachable = yes;
    }

    /** From now on nothing answers for this code. */
    public synchronized void unreachableFor(ShortCode code) {
        unreachableFor.add(code);
    }

    /** From now on confirmed settlements land, and yet are not known to be durable. */
    public synchronized void unconfirmed(boolean yes) {
        unconfirmed = yes;
    }

    /** Drops the record, as an eviction or a failover does. */
    public synchronized void evict(ShortCode code) {
        records.remove(code);
    }

    /** Drops the lease, as its end of life or a failover does. */
    public synchronized void loseLease(ShortCode code) {
        leases.remove(code);
    }

    /** Puts any bytes under the key, for ever. */
    public synchronized void put(ShortCode code, byte[] value) {
        records.put(code, Entry.of(value, null));
    }

    /** Puts a record under the key. */
    public void put(ShortCode code, CacheRecord record) {
        put(code, CacheRecordJson.encode(record));
    }

    /** What lies under the key now. */
    public synchronized Optional<byte[]> raw(ShortCode code) {
        return Optional.ofNullable(alive(records, code)).map(Entry::value);
    }

    /** The readable record under the key now. */
    public Optional<CacheRecord> record(ShortCode code) {
        return raw(code).flatMap(CacheRecordJson::decode);
    }

    /** How long the key still lives, if it ends. */
    public synchronized Optional<Duration> life(ShortCode code) {
        return Optional.ofNullable(alive(records, code))
                .flatMap(entry -> Optional.ofNullable(entry.until()))
                .map(until -> Duration.between(clock.instant(), until));
    }

    /** What was called, in order: {@code look abc}, {@code settle abc write}, … */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public synchronized CompletionStage<CacheLookup> look(ShortCode code) {
        calls.add("look " + code);
        return CompletableFuture.completedFuture(lookNow(code));
    }

    private CacheLookup lookNow(ShortCode code) {
        if (fails(code)) {
            return new CacheLookup.Unavailable("the cache does not answer");
        }
        Entry entry = alive(records, code);
        if (entry == null) {
            return new CacheLookup.Absent();
        }
        return CacheRecordJson.decode(entry.value())
                .<CacheLookup>map(CacheLookup.Found::new)
                .orElseGet(CacheLookup.Unreadable::new);
    }

    @Override
    public synchronized LeaseAttempt askLease(ShortCode code) {
        calls.add("ask " + code);
        if (!fails(code) && alive(leases, code) != null) {
            return new LeaseAttempt.Held();
        }
        return take(code);
    }

    @Override
    public synchronized LeaseAttempt forceLease(ShortCode code) {
        calls.add("force " + code);
        return take(code);
    }

    private LeaseAttempt take(ShortCode code) {
        if (fails(code)) {
            return new LeaseAttempt.Unreachable("the cache does not answer");
        }
        String token = "token-" + tokens++;
        leases.put(
                code,
                Entry.of(
                        token.getBytes(StandardCharsets.UTF_8),
                        clock.instant().plus(Freshness.LEASE)));
        return new LeaseAttempt.Taken(new Lease(code, token));
    }

    @Override
    public synchronized SettleOutcome settle(Lease lease, Settlement settlement) {
        calls.add("settle " + lease.code() + " " + SettleScript.verb(settlement));
        return apply(lease, settlement);
    }

    @Override
    public synchronized SettleOutcome settleConfirmed(Lease lease, Settlement settlement) {
        calls.add("confirm " + lease.code() + " " + SettleScript.verb(settlement));
        SettleOutcome outcome = apply(lease, settlement);
        return unconfirmed && outcome instanceof SettleOutcome.Accepted
                ? new SettleOutcome.Unknown("no replica acknowledged")
                : outcome;
    }

    private SettleOutcome apply(Lease lease, Settlement settlement) {
        ShortCode code = lease.code();
        if (fails(code)) {
            return new SettleOutcome.Unknown("the cache does not answer");
        }
        Entry held = alive(leases, code);
        if (held == null
                || !new String(held.value(), StandardCharsets.UTF_8).equals(lease.token())) {
            return new SettleOutcome.Refused();
        }
        leases.remove(code);
        Optional<Stamp> present = record(code).map(CacheRecord::stamp);
        if (settlement instanceof Settlement.Write(CacheRecord record, var life)) {
            if (present.isPresent() && present.get().isNewerThan(record.stamp())) {
                return new SettleOutcome.Accepted(present);
            }
            records.put(code, Entry.of(CacheRecordJson.encode(record), clock.instant().plus(life)));
            return new SettleOutcome.Accepted(Optional.of(record.stamp()));
        }
        if (present.isEmpty() || mustGo(settlement, present.get())) {
            records.remove(code);
            return new SettleOutcome.Accepted(Optional.empty());
        }
        return new SettleOutcome.Accepted(present);
    }

    private static boolean mustGo(Settlement settlement, Stamp present) {
        return switch (settlement) {
            case Settlement.Write _ -> throw new AssertionError("handled before");
            case Settlement.DropOlder(Stamp live) -> live.isNewerThan(present);
            case Settlement.DropUpTo(Stamp last) -> !present.isNewerThan(last);
            case Settlement.DropAll _ -> true;
            case Settlement.Release _ -> false;
        };
    }

    private boolean fails(ShortCode code) {
        return unreachable || unreachableFor.contains(code);
    }

    private @Nullable Entry alive(Map<ShortCode, Entry> entries, ShortCode code) {
        Entry entry = entries.get(code);
        Instant until = entry == null ? null : entry.until();
        return until == null || clock.instant().isBefore(until) ? entry : null;
    }
}
