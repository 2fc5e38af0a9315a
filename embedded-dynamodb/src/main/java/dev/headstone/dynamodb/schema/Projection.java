package dev.headstone.dynamodb.schema;

import java.util.List;

/** Which attributes of its items an index shows. Its own keys and the table's always are. */
public sealed interface Projection {
    /** All of them. */
    record All() implements Projection {}

    /** No others. */
    record KeysOnly() implements Projection {}

    /** Also those named. */
    record Include(List<String> names) implements Projection {
        /** Copies the list. */
        public Include {
            names = List.copyOf(names);
        }
    }
}
