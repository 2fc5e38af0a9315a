package dev.headstone.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import dev.headstone.audit.Trace;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What surrounds every invocation of one execution environment: its ids are in each log line, its
 * trace goes with what it changes, and its figures leave before the environment is frozen. For the
 * thread that invokes.
 */
public final class Invocations {
    private static final String REQUEST = "request_id";
    private static final String TRACE = "trace_id";

    private final EmbeddedMetrics figures;
    private final Duration flushEvery;
    private Optional<Long> lastFlush = Optional.empty();

    /**
     * @param flushEvery figures wait so long for the next invocation at the most, and are lost if
     *     none comes; zero flushes after each
     */
    public Invocations(EmbeddedMetrics figures, Duration flushEvery) {
        this.figures = figures;
        this.flushEvery = flushEvery;
    }

    /**
     * Does {@code work}.
     *
     * @param header the trace as the request itself says it, if it says one and Lambda does not
     */
    public <R, X extends Throwable> R around(
            @Nullable Context context, Optional<String> header, ScopedValue.CallableOp<R, X> work)
            throws X {
        Optional<Trace> trace = traceOf(context).or(() -> header.flatMap(Trace::of));
        if (context != null && context.getAwsRequestId() != null) {
            MDC.put(REQUEST, context.getAwsRequestId());
        }
        trace.ifPresent(known -> MDC.put(TRACE, known.root()));
        try {
            return Trace.within(trace, work);
        } finally {
            flush();
            MDC.remove(REQUEST);
            MDC.remove(TRACE);
        }
    }

    /** As above, for events that carry no trace of their own. */
    public <R, X extends Throwable> R around(
            @Nullable Context context, ScopedValue.CallableOp<R, X> work) throws X {
        return around(context, Optional.empty(), work);
    }

    private static Optional<Trace> traceOf(@Nullable Context context) {
        return context == null
                ? Optional.empty()
                : Optional.ofNullable(context.getXrayTraceId()).flatMap(Trace::of);
    }

    private void flush() {
        long now = System.nanoTime();
        if (lastFlush.filter(last -> now - last < flushEvery.toNanos()).isEmpty()) {
            figures.flush();
            lastFlush = Optional.of(now);
        }
    }
}
