package dev.headstone.standalone.queue;

import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import org.elasticmq.util.NowProvider;
import org.jspecify.annotations.Nullable;

/**
 * The queue's clock, which also bounds what it remembers. SQS knows the deduplication ids of five
 * minutes. ElasticMQ keeps each with its message, in a list that it copies with every message that
 * comes: at 1,000 messages a second that would be 300,000 messages in memory. When more than {@link
 * #MOST} came in five minutes, this clock is ahead by as much as it takes for the older ones to be
 * forgotten. Only that, and the time of a first receive, is read from {@link #now}.
 */
final class DeduplicationWindow extends NowProvider {
    /** At 1,000 a second ten seconds; a client's own retries come within two. */
    static final int MOST = 10_000;

    private static final int WINDOW_MINUTES = 5;

    private final InstantSource clock;
    private final Deque<OffsetDateTime> newest = new ArrayDeque<>();
    private volatile @Nullable OffsetDateTime forgetBefore;

    DeduplicationWindow(InstantSource clock) {
        this.clock = clock;
    }

    /** Takes note of a message that came; one thread at a time. */
    void note(OffsetDateTime created) {
        newest.addLast(created);
        if (newest.size() > MOST) {
            forgetBefore = newest.removeFirst();
        }
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public OffsetDateTime now() {
        OffsetDateTime now = clock.instant().atOffset(ZoneOffset.UTC);
        OffsetDateTime bound = forgetBefore;
        if (bound == null) {
            return now;
        }
        OffsetDateTime ahead = bound.plusMinutes(WINDOW_MINUTES);
        return ahead.isAfter(now) ? ahead : now;
    }
}
