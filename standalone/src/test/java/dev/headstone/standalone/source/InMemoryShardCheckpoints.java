package dev.headstone.standalone.source;

import dev.headstone.standalone.source.ShardPosition.After;
import dev.headstone.standalone.source.ShardPosition.End;
import dev.headstone.standalone.source.ShardPosition.Horizon;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checkpoints in memory, seen by one owner. Held to the same contract as the table's. */
final class InMemoryShardCheckpoints implements ShardCheckpoints {
    private record Row(ShardPosition position, long fence, @Nullable String owner, Instant until) {}

    /** What several owners share. */
    static final class Store {
        private final Map<String, Row> rows = new HashMap<>();
        private int faults;

        /** The next calls fail as if the table did not answer. */
        synchronized void fail(int calls) {
            faults = calls;
        }

        private void mayFail() {
            if (faults > 0) {
                faults--;
                throw new IllegalStateException("out of reach");
            }
        }
    }

    private final Store store;
    private final String owner;
    private final Duration lease;
    private final InstantSource clock;

    InMemoryShardCheckpoints(Store store, String owner, Duration lease, InstantSource clock) {
        this.store = store;
        this.owner = owner;
        this.lease = lease;
        this.clock = clock;
    }

    @Override
    public Map<String, ShardPosition> positions() {
        synchronized (store) {
            store.mayFail();
            return store.rows.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, row -> row.getValue().position()));
        }
    }

    @Override
    public Optional<ShardLease> acquire(String shardId) {
        synchronized (store) {
            store.mayFail();
            Row row =
                    store.rows.getOrDefault(
                            shardId, new Row(new Horizon(), 0, null, Instant.EPOCH));
            boolean free = row.owner() == null || row.owner().equals(owner);
            if (!free && !row.until().isBefore(clock.instant())) {
                return Optional.empty();
            }
            return Optional.of(put(shardId, row.position(), row.fence() + 1));
        }
    }

    @Override
    public Optional<ShardLease> renew(ShardLease held) {
        synchronized (store) {
            store.mayFail();
            return row(held).map(row -> put(held.shardId(), row.position(), row.fence()));
        }
    }

    @Override
    public Optional<ShardLease> advance(ShardLease held, ShardPosition position) {
        synchronized (store) {
            store.mayFail();
            return row(held)
                    .filter(row -> order(row.position()).compareTo(order(position)) <= 0)
                    .map(row -> put(held.shardId(), position, row.fence()));
        }
    }

    @Override
    public void release(ShardLease held) {
        synchronized (store) {
            store.mayFail();
            row(held)
                    .ifPresent(
                            row ->
                                    store.rows.put(
                                            held.shardId(),
                                            new Row(
                                                    row.position(),
                                                    row.fence(),
                                                    null,
                                                    Instant.EPOCH)));
        }
    }

    @Override
    public void forget(String shardId) {
        synchronized (store) {
            store.mayFail();
            store.rows.remove(shardId);
        }
    }

    private Optional<Row> row(ShardLease held) {
        return Optional.ofNullable(store.rows.get(held.shardId()))
                .filter(row -> owner.equals(row.owner()) && row.fence() == held.fence());
    }

    private ShardLease put(String shardId, ShardPosition position, long fence) {
        Instant until = clock.instant().plus(lease);
        store.rows.put(shardId, new Row(position, fence, owner, until));
        return new ShardLease(shardId, fence, until, position);
    }

    private static String order(ShardPosition position) {
        return switch (position) {
            case Horizon _ -> KeyedTables.padded("");
            case After(String sequenceNumber) -> KeyedTables.padded(sequenceNumber);
            case End _ -> "SHARD_END";
        };
    }
}
