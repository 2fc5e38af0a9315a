package dev.headstone.auditlog;

import dev.headstone.auditlog.AuditLog.Slice;
import dev.headstone.auditlog.LogEntry.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes events until the limit or the bound of their length is reached, and one to know of more.
 */
final class SliceBuilder {
    /** A slice ends once its bodies are that long together: a thousand may hold 400 MB. */
    static final int MOST_CHARACTERS = 4 * 1024 * 1024;

    private final int limit;
    private final List<Event> events = new ArrayList<>();
    private long characters;
    private boolean more;

    SliceBuilder(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: less than 1");
        }
        this.limit = limit;
    }

    void add(Event event) {
        if (events.size() == limit || characters >= MOST_CHARACTERS) {
            more = true;
            return;
        }
        events.add(event);
        characters += event.body().length();
    }

    /** Whether something came after what fits, so that nothing more need be read. */
    boolean knowsMore() {
        return more;
    }

    /** How many to ask for: one more than fits. */
    int room() {
        return limit - events.size() + 1;
    }

    Slice build() {
        return new Slice(List.copyOf(events), more);
    }
}
