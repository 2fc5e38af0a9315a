package dev.headstone.auditlog;

import dev.headstone.auditlog.AuditMetrics.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends the records of a batch to the log. Holds no state of its own. */
final class AuditBatch {
    private static final Logger LOG = LoggerFactory.getLogger(AuditBatch.class);

    private final AuditLog log;
    private final AuditMetrics metrics;

    AuditBatch(AuditLog log, AuditMetrics metrics) {
        this.log = log;
        this.metrics = metrics;
    }

    /**
     * Appends each group until one of its records fails; the groups side by side, since they wait
     * for the table and not for each other. The queue keeps a group's order only for what it still
     * holds: a record that is done after one that comes again would stand before it for ever.
     *
     * @param records as many as a FIFO queue delivers at once, which is ten
     * @param outOfTime asked before each record of a group but its first, so that every batch makes
     *     progress
     * @return what the queue must deliver again, the records of a group in their order
     * @throws IllegalStateException if the thread is interrupted; then all must come again
     */
    List<QueuedRecord> append(List<QueuedRecord> records, BooleanSupplier outOfTime) {
        if (Thread.currentThread().isInterrupted()) { // a batch that is quick would never notice
            throw new IllegalStateException("interrupted before writing a batch");
        }
        Map<String, List<QueuedRecord>> groups =
                records.stream()
                        .collect(
                                Collectors.groupingBy(
                                        QueuedRecord::group,
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        List<Callable<List<QueuedRecord>>> tasks = new ArrayList<>();
        groups.values().forEach(group -> tasks.add(() -> appendGroup(group, outOfTime)));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<QueuedRecord> again = new ArrayList<>();
            for (Future<List<QueuedRecord>> group : threads.invokeAll(tasks)) {
                again.addAll(group.get());
            }
            return again;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while writing a batch", interrupted);
        } catch (ExecutionException bug) {
            throw new IllegalStateException("a group could not be written", bug.getCause());
        }
    }

    private List<QueuedRecord> appendGroup(List<QueuedRecord> group, BooleanSupplier outOfTime) {
        for (int i = 0; i < group.size(); i++) {
            boolean held = i > 0 && outOfTime.getAsBoolean();
            if (held || !settled(group.get(i))) {
                int untried = group.size() - i - (held ? 0 : 1);
                metrics.count(Result.HELD_BACK, untried);
                return group.subList(i, group.size());
            }
        }
        return List.of();
    }

    private boolean settled(QueuedRecord queued) {
        ReceivedEvent event;
        try {
            event = ReceivedEvent.read(queued.body());
        } catch (IllegalArgumentException unreadable) {
            metrics.count(Result.UNREADABLE);
            LOG.atError()
                    .addKeyValue("message_id", queued.messageId().orElse("none"))
                    .addKeyValue("group", queued.group())
                    .addKeyValue("problem", unreadable.getMessage())
                    .log("an audit event is unreadable and will end in the dead-letter queue");
            return false;
        }
        return settled(event, log.append(event));
    }

    private boolean settled(ReceivedEvent event, Appended outcome) {
        return switch (outcome) {
            case Appended.Written(LogEntry.Event written) -> {
                metrics.count(Result.WRITTEN);
                metrics.lag(Duration.between(event.at(), written.recordedAt()));
                yield true;
            }
            case Appended.AlreadyWritten _ -> {
                metrics.count(Result.DUPLICATE);
                yield true;
            }
            case Appended.Conflicting(LogEntry.Place place) -> {
                metrics.count(Result.CONFLICT);
                LOG.atError()
                        .addKeyValue("event_id", event.eventId())
                        .addKeyValue("chain", place.chain())
                        .addKeyValue("seq", place.seq())
                        .log(
                                "an audit event came with an id that has other content; the first stays");
                yield true; // it would be the same every time, and the group must go on
            }
            case Appended.TooLarge(int bytes) -> {
                metrics.count(Result.TOO_LARGE);
                LOG.atError()
                        .addKeyValue("event_id", event.eventId())
                        .addKeyValue("bytes", bytes)
                        .log("an audit event is too large and will end in the dead-letter queue");
                yield false;
            }
            case Appended.Failed(Exception cause) -> {
                metrics.count(Result.FAILED);
                LOG.atWarn()
                        .addKeyValue("event_id", event.eventId())
                        .setCause(cause)
                        .log(
                                "an audit event could not be written; the queue will deliver it again");
                yield false;
            }
        };
    }
}
