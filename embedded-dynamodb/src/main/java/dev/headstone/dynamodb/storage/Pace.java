package dev.headstone.dynamodb.storage;

import java.time.Duration;

/**
 * How often the trees are written to the data file.
 *
 * @param checkpointDelay how long the log grows before they are
 * @param checkpointBytes how large it may grow before that
 * @param spaceRetention how long space in the data file that fell free is left alone. The file is
 *     forced after each write, so this only has to outlast what readers hold, which the store also
 *     counts.
 */
record Pace(Duration checkpointDelay, long checkpointBytes, Duration spaceRetention) {
    static final Pace USUAL =
            new Pace(Duration.ofSeconds(1), 4L * 1024 * 1024, Duration.ofSeconds(10));
}
