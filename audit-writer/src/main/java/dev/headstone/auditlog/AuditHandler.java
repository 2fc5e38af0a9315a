package dev.headstone.auditlog;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Snapshot;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lambda entry point: translates the messages in and the failures out, and decides nothing. */
public final class AuditHandler implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private static final String GROUP = "MessageGroupId";

    /**
     * What one record may take in the worst case: a tail read, a transaction and a look at its
     * marker. With less time left than this no record of a group but its first is begun, so that a
     * deadline must leave room for several.
     */
    public static final Duration RESERVE = Duration.ofSeconds(5);

    private final Handling handling;

    /** Around a batch, whatever has to be: ids in logs, figures. */
    private interface Handling {
        SQSBatchResponse handle(SQSEvent event, @Nullable Context context);
    }

    /** For Lambda, which calls it once per execution environment. */
    public AuditHandler() {
        this(new Environment(System.getenv()));
    }

    private AuditHandler(Environment environment) {
        AuditConfig config = AuditConfig.from(environment);
        Snapshot<Wiring> wiring =
                Snapshot.of(
                        environment,
                        connections -> Wiring.open(config, connections),
                        Wiring::prime);
        this.handling = (event, context) -> append(wiring.get(), event, context);
    }

    /** For a process that has its own log and registry. */
    public AuditHandler(AuditLog log, MeterRegistry registry) {
        AuditBatch batch = Wiring.batch(log, registry);
        this.handling = (event, context) -> append(batch, event, context);
    }

    /**
     * Appends the messages to the log.
     *
     * @param context tells how much time is left; {@code null} where there is no limit
     * @return the messages that must be delivered again
     * @throws IllegalStateException if one of these has no id to report it by: then all come again
     */
    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, @Nullable Context context) {
        return handling.handle(event, context);
    }

    private static SQSBatchResponse append(
            Wiring wiring, SQSEvent event, @Nullable Context context) {
        return wiring.invocations().around(context, () -> append(wiring.batch(), event, context));
    }

    private static SQSBatchResponse append(
            AuditBatch batch, SQSEvent event, @Nullable Context context) {
        List<QueuedRecord> records =
                Optional.ofNullable(event.getRecords()).orElse(List.of()).stream()
                        .map(AuditHandler::read)
                        .toList();
        List<BatchItemFailure> failures =
                batch.append(records, outOfTime(context)).stream()
                        .map(failed -> new BatchItemFailure(messageIdOf(failed)))
                        .toList();
        return new SQSBatchResponse(failures);
    }

    private static QueuedRecord read(@Nullable SQSMessage message) {
        if (message == null) {
            return new QueuedRecord(Optional.empty(), "", "");
        }
        Map<String, String> attributes =
                Optional.ofNullable(message.getAttributes()).orElse(Map.of());
        return new QueuedRecord(
                Optional.ofNullable(message.getMessageId()).filter(id -> !id.isEmpty()),
                attributes.getOrDefault(GROUP, ""),
                Optional.ofNullable(message.getBody()).orElse(""));
    }

    private static String messageIdOf(QueuedRecord failed) {
        return failed.messageId()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "a failed message has no id: the whole batch must come again"));
    }

    private static BooleanSupplier outOfTime(@Nullable Context context) {
        return () -> context != null && context.getRemainingTimeInMillis() < RESERVE.toMillis();
    }
}
