package dev.headstone.standalone.source;

import dev.headstone.standalone.source.ShardPosition.End;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.Shard;

/**
 * What a stream's shards and their positions say about whose turn it is. A child holds later
 * changes of its parent's keys, so it waits until the parent is settled to its end; a parent that
 * the stream lists no more has been trimmed and is not waited for.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html">Change
 *     data capture for DynamoDB Streams: always process a parent shard before it processes a child
 *     shard</a>
 */
final class ShardLineage {
    private final List<Shard> shards;
    private final Map<String, ShardPosition> positions;
    private final Set<String> listed;

    ShardLineage(List<Shard> shards, Map<String, ShardPosition> positions) {
        this.shards = List.copyOf(shards);
        this.positions = Map.copyOf(positions);
        this.listed = shards.stream().map(Shard::shardId).collect(Collectors.toUnmodifiableSet());
    }

    /** The shards to read now, as far as their lineage goes. */
    List<String> ready() {
        return shards.stream()
                .filter(shard -> !settled(shard.shardId()))
                .filter(this::hasNoUnsettledParent)
                .map(Shard::shardId)
                .toList();
    }

    /** Shards that the stream lists no more: their records are trimmed. */
    List<String> past() {
        return positions.keySet().stream().filter(shardId -> !listed.contains(shardId)).toList();
    }

    /** Shards that the stream lists no more although their end was not read. */
    List<String> trimmed() {
        return past().stream().filter(shardId -> !settled(shardId)).toList();
    }

    private boolean hasNoUnsettledParent(Shard shard) {
        String parent = shard.parentShardId();
        return parent == null || !listed.contains(parent) || settled(parent);
    }

    private boolean settled(String shardId) {
        return positions.get(shardId) instanceof End;
    }
}
