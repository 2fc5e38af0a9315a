package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.schema.Stream;
import java.util.List;
import java.util.Optional;

/**
 * Records in order.
 *
 * @param nextIterator where to go on; empty at the end of a closed shard
 */
public record RecordPage(
        Stream stream, List<StreamRecord> records, Optional<String> nextIterator) {}
