package dev.headstone.audit;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trace that a request belongs to, in the form of AWS X-Ray: from the request it goes with a
 * change into the table, through the stream, and with an event through the queue into the log.
 * Whoever calls may have made it up: it says where to look, and decides nothing.
 *
 * @param root the id of the whole trace, {@code 1-} and 8 and 24 hexadecimal digits
 * @param header the trace as the {@code X-Amzn-Trace-Id} header and SQS's {@code AWSTraceHeader}
 *     carry it
 */
public record Trace(String root, String header) {
    private static final Pattern ROOT =
            Pattern.compile("(?:^|;)\\s*Root=(1-[0-9a-f]{8}-[0-9a-f]{24})");
    private static final Pattern PARENT = Pattern.compile("(?:^|;)\\s*Parent=([0-9a-f]{16})");
    private static final Pattern SAMPLED = Pattern.compile("(?:^|;)\\s*Sampled=([01])");
    private static final ScopedValue<Trace> CURRENT = ScopedValue.newInstance();

    /** Longer than any that a service of AWS sends. */
    private static final int LONGEST_HEADER = 1_024;

    /** Whether {@code text} may be the id of a trace. */
    public static boolean isRoot(String text) {
        return ROOT.matcher("Root=" + text).matches();
    }

    /**
     * The trace in a header; empty if there is none of that form. What else it says is left out.
     */
    public static Optional<Trace> of(String header) {
        if (header.length() > LONGEST_HEADER) {
            return Optional.empty();
        }
        return find(ROOT, header)
                .map(
                        root ->
                                new Trace(
                                        root,
                                        "Root="
                                                + root
                                                + find(PARENT, header)
                                                        .map(id -> ";Parent=" + id)
                                                        .orElse("")
                                                + find(SAMPLED, header)
                                                        .map(flag -> ";Sampled=" + flag)
                                                        .orElse("")));
    }

    private static Optional<String> find(Pattern part, String header) {
        Matcher matcher = part.matcher(header);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** The trace of what this thread is doing, if it is known. */
    public static Optional<Trace> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Does {@code work} as a part of {@code trace}, on this thread. */
    public static <R, X extends Throwable> R within(
            Optional<Trace> trace, ScopedValue.CallableOp<R, X> work) throws X {
        return trace.isPresent() ? ScopedValue.where(CURRENT, trace.get()).call(work) : work.call();
    }
}
