package dev.headstone.dynamodb.schema;

import dev.headstone.dynamodb.storage.Tree;
import java.time.Instant;
import java.util.Optional;

/**
 * The stream of a table's changes.
 *
 * @param label tells the streams of tables of one name apart
 * @param disabledAt when its table was deleted; the stream stays readable for as long as it keeps
 *     records
 * @param records by their number
 */
public record Stream(
        String tableName,
        String label,
        StreamViewType viewType,
        KeySchema key,
        Instant createdAt,
        Optional<Instant> disabledAt,
        Tree records) {
    /** The stream's ARN. */
    public String arn() {
        return Arns.stream(tableName, label);
    }

    /** This stream, ended at {@code now}. */
    public Stream disabled(Instant now) {
        return new Stream(tableName, label, viewType, key, createdAt, Optional.of(now), records);
    }
}
