package dev.headstone.stream;

import dev.headstone.link.Link;
import dev.headstone.stream.StreamEntry.Change;
import dev.headstone.table.VisitTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the table forget the counted visits of a link when it forgets the link. Twice for each link:
 * when it becomes known that it will, and when it has. Holds nothing up: a record whose visits
 * could not be reached is settled all the same.
 */
final class CountedVisits {
    private static final Logger log = LoggerFactory.getLogger(CountedVisits.class);

    private final VisitTable table;
    private final Counter followed;
    private final Counter failed;

    CountedVisits(VisitTable table, MeterRegistry meters) {
        this.table = table;
        this.followed = counter("followed", meters);
        this.failed = counter("failed", meters);
    }

    private static Counter counter(String result, MeterRegistry meters) {
        return Counter.builder("headstone.visit.purges")
                .description("Changes of when the counted visits of a link may be forgotten")
                .tag("result", result)
                .register(meters);
    }

    /** Does for the visits what {@code change} did to the end of the link's item, if anything. */
    void follow(Change change) {
        switch (change.operation()) {
            case INSERT -> {}
            case MODIFY ->
                    change.after()
                            .filter(link -> !link.purgeAt().equals(purgeBefore(change)))
                            .ifPresent(link -> keepUntil(link, link.purgeAt()));
            case REMOVE ->
                    change.before().ifPresent(link -> keepUntil(link, Optional.of(change.at())));
        }
    }

    private static Optional<Instant> purgeBefore(Change change) {
        return change.before().flatMap(Link::purgeAt);
    }

    private void keepUntil(Link link, Optional<Instant> purgeAt) {
        if (table.keepUntil(link.code(), link.epoch(), purgeAt)) {
            followed.increment();
        } else {
            failed.increment();
            log.atWarn()
                    .addKeyValue("code", link.code())
                    .log("the counted visits of a link are kept longer than the link");
        }
    }
}
