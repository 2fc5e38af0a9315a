package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.schema.Stream;
import java.util.List;
import java.util.Optional;

/**
 * A stream and a page of its shards, oldest first.
 *
 * @param lastEvaluatedShardId from where to go on; empty if there are no more
 */
public record StreamDescription(
        Stream stream, List<ShardDescription> shards, Optional<String> lastEvaluatedShardId) {
    /**
     * A shard.
     *
     * @param endingSequenceNumber empty while it is open
     */
    public record ShardDescription(
            String id,
            Optional<String> parentId,
            String startingSequenceNumber,
            Optional<String> endingSequenceNumber) {
        static ShardDescription of(Shard shard) {
            return new ShardDescription(
                    shard.id(),
                    shard.parent(),
                    SequenceNumber.text(shard.first()),
                    shard.last().isPresent()
                            ? Optional.of(SequenceNumber.text(shard.last().getAsLong()))
                            : Optional.empty());
        }
    }
}
