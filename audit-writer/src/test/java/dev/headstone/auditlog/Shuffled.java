package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** A log whose sweep comes in any order, as no store promises another one. */
class Shuffled implements AuditLog {
    private final AuditLog log;
    private final Random random;

    Shuffled(AuditLog log, Random random) {
        this.log = log;
        this.random = random;
    }

    @Override
    public void sweep(Optional<String> chain, Consumer<LogEntry> each) {
        List<LogEntry> entries = new ArrayList<>();
        log.sweep(chain, entries::add);
        Collections.shuffle(entries, random);
        entries.forEach(each);
    }

    @Override
    public Appended append(ReceivedEvent event) {
        return log.append(event);
    }

    @Override
    public Slice chain(String chain, long after, Optional<Instant> since, int limit) {
        return log.chain(chain, after, since, limit);
    }

    @Override
    public Slice recorded(TimeKey after, int limit) {
        return log.recorded(after, limit);
    }

    @Override
    public Set<Place> present(Set<Place> places) {
        return log.present(places);
    }

    @Override
    public Map<String, Marker> markers(Set<String> eventIds) {
        return log.markers(eventIds);
    }

    @Override
    public long lastSeq(String chain) {
        return log.lastSeq(chain);
    }
}
