package dev.headstone.stream;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lambda entry point of the comparator, fed by the queue in which comparisons wait. Each message is
 * one look at one code; the look that follows is a new message. A message that nobody can read is
 * logged and let go: there is nothing to compare in it.
 */
public final class ComparatorLambda implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private static final Logger log = LoggerFactory.getLogger(ComparatorLambda.class);

    private final Snapshot<Comparer> comparer;

    /** What the function is made of. */
    private record Comparer(Wiring wiring, CacheComparator comparator, DelayedComparisons later)
            implements AutoCloseable {
        Comparer(Wiring wiring) {
            this(wiring, wiring.comparator(), wiring.comparisons());
        }

        SQSBatchResponse handle(SQSEvent event) {
            wiring.verifyCache();
            List<BatchItemFailure> failures = new ArrayList<>();
            for (SQSMessage message : messages(event)) {
                try {
                    handle(message);
                } catch (RuntimeException e) { // a bug with one code must not keep the others
                    log.atError().setCause(e).log("comparison ended with an exception");
                    failures.add(new BatchItemFailure(message.getMessageId()));
                }
            }
            later.flush();
            return new SQSBatchResponse(failures);
        }

        private static List<SQSMessage> messages(SQSEvent event) {
            return event.getRecords() == null ? List.of() : event.getRecords();
        }

        private void handle(SQSMessage message) {
            Optional<Comparison> due =
                    Optional.ofNullable(message.getBody()).flatMap(Comparison::read);
            if (due.isEmpty()) {
                log.atError()
                        .addKeyValue("message_id", message.getMessageId())
                        .log("message that asks for no comparison");
                return;
            }
            Comparison comparison = due.get();
            comparator.compare(comparison.code(), comparison.after());
            comparison.next().ifPresent(later::add);
        }

        @Override
        public void close() {
            wiring.close();
        }
    }

    /** For Lambda, which calls it once per execution environment. */
    public ComparatorLambda() {
        this(new Environment(System.getenv()));
    }

    private ComparatorLambda(Environment environment) {
        ConsumerConfig config = ConsumerConfig.from(environment);
        this.comparer =
                Snapshot.of(
                        environment,
                        connections -> new Comparer(Wiring.open(config, connections)),
                        open -> open.wiring().prime());
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, @Nullable Context context) {
        Comparer open = comparer.get();
        return open.wiring().invocations().around(context, () -> open.handle(event));
    }
}
