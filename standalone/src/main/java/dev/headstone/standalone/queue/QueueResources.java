package dev.headstone.standalone.queue;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.QueueNameExistsException;

/** The audit queue and the queue of its dead letters; those that exist are never changed. */
public final class QueueResources {
    /** After so many deliveries a message is a dead letter. */
    static final int MOST_DELIVERIES = 5;

    /** The longest that SQS keeps a message. */
    private static final Duration RETENTION = Duration.ofDays(14);

    /** Six times what a batch may take, as AWS advises for an event source. */
    private static final Duration VISIBILITY = Duration.ofMinutes(3);

    private static final Logger log = LoggerFactory.getLogger(QueueResources.class);

    private final SqsClient sqs;

    public QueueResources(SqsClient sqs) {
        this.sqs = sqs;
    }

    /**
     * A queue that exists.
     *
     * @param arn as events name it
     */
    public record Queue(String name, String url, String arn) {}

    /**
     * The queue of that name.
     *
     * @throws QueueDoesNotExistException if there is none
     */
    public Queue find(String name) {
        String url = sqs.getQueueUrl(get -> get.queueName(name)).queueUrl();
        String arn =
                sqs.getQueueAttributes(
                                get ->
                                        get.queueUrl(url)
                                                .attributeNames(QueueAttributeName.QUEUE_ARN))
                        .attributes()
                        .getOrDefault(QueueAttributeName.QUEUE_ARN, name);
        return new Queue(name, url, arn);
    }

    /** Creates both queues as far as they are missing. */
    public void createIfMissing(String name, String deadLetters) {
        if (!exists(deadLetters)) {
            create(deadLetters, Map.of());
        }
        if (!exists(name)) {
            String policy =
                    "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"%d\"}"
                            .formatted(find(deadLetters).arn(), MOST_DELIVERIES);
            create(
                    name,
                    Map.of(
                            QueueAttributeName.REDRIVE_POLICY,
                            policy,
                            QueueAttributeName.VISIBILITY_TIMEOUT,
                            String.valueOf(VISIBILITY.toSeconds())));
        }
    }

    private boolean exists(String name) {
        try {
            return !sqs.getQueueUrl(get -> get.queueName(name)).queueUrl().isEmpty();
        } catch (QueueDoesNotExistException e) {
            return false;
        }
    }

    /** For high throughput: ids and limits count per group, which is a link. */
    private void create(String name, Map<QueueAttributeName, String> more) {
        Map<QueueAttributeName, String> attributes = new EnumMap<>(QueueAttributeName.class);
        attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
        attributes.put(
                QueueAttributeName.MESSAGE_RETENTION_PERIOD, String.valueOf(RETENTION.toSeconds()));
        attributes.put(QueueAttributeName.DEDUPLICATION_SCOPE, "messageGroup");
        attributes.put(QueueAttributeName.FIFO_THROUGHPUT_LIMIT, "perMessageGroupId");
        attributes.putAll(more);
        try {
            sqs.createQueue(create -> create.queueName(name).attributes(attributes));
            log.atInfo().addKeyValue("queue", name).log("queue created");
        } catch (QueueNameExistsException e) {
            // Somebody else was quicker, and wanted it otherwise: theirs stays.
            log.atInfo().addKeyValue("queue", name).log("queue was created elsewhere");
        }
    }
}
