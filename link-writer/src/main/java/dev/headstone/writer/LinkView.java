package dev.headstone.writer;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.LinkCache;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitHistory;
import dev.headstone.table.VisitTable;
import dev.headstone.table.VisitsRead;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Shows a link as the table has it, and beside it what lies in the cache. Safe for use by several
 * threads.
 */
public final class LinkView {
    /** How long the cache may take; without its answer the link is shown all the same. */
    private static final Duration CACHE_DEADLINE = Duration.ofMillis(500);

    private final LinkTable table;
    private final LinkCache cache;
    private final Optional<VisitTable> visits;

    LinkView(WriterPorts ports) {
        table = ports.table();
        cache = ports.cache();
        visits = ports.visits();
    }

    /** What there is to see. */
    public sealed interface Sight {
        /**
         * A link, and the one look into the cache that was taken beside it.
         *
         * @param visits what was counted; empty if that cannot be told now
         */
        record Shown(Link link, CacheLookup cache, Optional<VisitHistory> visits)
                implements Sight {}

        /** Nothing, and why. */
        sealed interface Unseen extends Sight {}

        /** There is no such link. */
        record NoSuchLink() implements Unseen {}

        /** The table holds something that is no link. */
        record Unreadable(String why) implements Unseen {}

        /** The table did not answer. */
        record Unavailable() implements Unseen {}
    }

    /** Shows one link, read consistently. */
    public Sight show(ShortCode code) {
        return switch (table.read(code)) {
            case TableRead.Found(Link link) -> new Sight.Shown(link, look(code), visitsOf(link));
            case TableRead.Absent _ -> new Sight.NoSuchLink();
            case TableRead.Unreadable(String why) -> new Sight.Unreadable(why);
            case TableRead.Failed _ -> new Sight.Unavailable();
        };
    }

    private Optional<VisitHistory> visitsOf(Link link) {
        return visits.flatMap(
                table ->
                        switch (table.read(link.code(), link.epoch())) {
                            case VisitsRead.Counted(VisitHistory history) -> Optional.of(history);
                            case VisitsRead.Failed _ -> Optional.empty();
                        });
    }

    private CacheLookup look(ShortCode code) {
        try {
            return cache.look(code)
                    .toCompletableFuture()
                    .get(CACHE_DEADLINE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new CacheLookup.Unavailable("interrupted");
        } catch (ExecutionException | TimeoutException failed) {
            return new CacheLookup.Unavailable("the cache does not answer");
        }
    }
}
