package dev.headstone.standalone.source;

import dev.headstone.standalone.source.Answer.Accepted;
import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.ItemsFailed;
import dev.headstone.standalone.source.Answer.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Handler calls by what became of them. */
final class BatchMeters {
    private final Counter accepted;
    private final Counter partly;
    private final Map<Kind, Counter> failed;

    BatchMeters(String source, MeterRegistry registry) {
        this.accepted = batches(source, "accepted", registry);
        this.partly = batches(source, "partly_failed", registry);
        this.failed = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            failed.put(kind, batches(source, kind.label(), registry));
        }
    }

    private static Counter batches(String source, String result, MeterRegistry registry) {
        return Counter.builder("headstone_source_batches")
                .description("handler calls of an event source, by result")
                .tag("source", source)
                .tag("result", result)
                .register(registry);
    }

    void answered(Answer answer) {
        switch (answer) {
            case Accepted _ -> accepted.increment();
            case ItemsFailed _ -> partly.increment();
            case Failed failure -> counterOf(failure.kind()).increment();
        }
    }

    private Counter counterOf(Kind kind) {
        return Objects.requireNonNull(failed.get(kind));
    }
}
