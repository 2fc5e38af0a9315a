package dev.headstone.dynamodb.schema;

import java.util.List;
import java.util.Optional;

/** The attributes that make a key: a partition key, and maybe a sort key. */
public record KeySchema(KeyAttribute hash, Optional<KeyAttribute> range) {
    /** The attributes, partition key first. */
    public List<KeyAttribute> attributes() {
        return range.map(attribute -> List.of(hash, attribute)).orElseGet(() -> List.of(hash));
    }

    /** The names of the attributes, partition key first. */
    public List<String> names() {
        return attributes().stream().map(KeyAttribute::name).toList();
    }
}
