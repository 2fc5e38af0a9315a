package dev.headstone.standalone.source;

import java.time.Duration;

/**
 * How a queue is polled and its messages are handed over.
 *
 * @param name the consumer's name, in metrics and readiness
 * @param queueUrl where the queue is
 * @param queueArn what events call it
 * @param batchSize messages per event, 1 to 10
 * @param repeatsPolls whether a poll has an id under which it is made again when its answer was
 *     lost, so that what it brought is not hidden for the visibility timeout; ElasticMQ goes
 *     through all ids of the last five minutes at every poll
 * @param longPoll how long a poll waits for a message, 1 to 20 s. Closing waits this long at most 1
 *     s, then breaks the poll off; a queue that does not notice may hand a message to the broken
 *     poll, and it stays hidden for the visibility timeout
 * @param visibility how long a message stays hidden while it is handled; at least six times the
 *     handler's deadline, as AWS advises
 * @param requestTimeout how long one request may take beyond its wait, with the client's own
 *     retries
 * @param handlerDeadline how long the handler may take for a batch
 * @param concurrency how many batches may be handled at once; a FIFO queue never gives out two of
 *     one group
 * @param retry when a failed message is seen again, by how often it was received; whole seconds,
 *     rounded up. With the queue's {@code maxReceiveCount} it decides how long a fault may last
 *     before messages become dead letters
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html">Creating
 *     and configuring an Amazon SQS event source mapping: visibility timeout</a>
 */
public record QueueSettings(
        String name,
        String queueUrl,
        String queueArn,
        int batchSize,
        boolean repeatsPolls,
        Duration longPoll,
        Duration visibility,
        Duration requestTimeout,
        Duration handlerDeadline,
        int concurrency,
        Backoff retry) {
    private static final int VISIBILITY_PER_DEADLINE = 6;

    /**
     * @throws IllegalArgumentException naming the setting that is out of its range
     */
    public QueueSettings {
        Settings.filled("name", name);
        Settings.filled("queue URL", queueUrl);
        Arns.region(queueArn);
        Settings.between("batch size", batchSize, 1, 10);
        Settings.between("long poll", longPoll, Duration.ofSeconds(1), Duration.ofSeconds(20));
        Settings.between(
                "request timeout", requestTimeout, Duration.ofMillis(100), Duration.ofMinutes(1));
        Settings.between(
                "handler deadline", handlerDeadline, Duration.ofMillis(10), Duration.ofMinutes(15));
        Settings.between(
                "visibility",
                visibility,
                handlerDeadline.multipliedBy(VISIBILITY_PER_DEADLINE),
                Duration.ofHours(12));
        Settings.between("concurrency", concurrency, 1, 1000);
    }

    /**
     * For a queue on this machine, where a poll costs nothing: polls of 1 s, so that closing never
     * breaks one off, and a deadline of 10 s, so that what a crash left hidden is seen again after
     * a minute.
     */
    public static QueueSettings local(String name, String queueUrl, String queueArn) {
        return new QueueSettings(
                name,
                queueUrl,
                queueArn,
                10,
                false,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                2,
                new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30)));
    }

    /** For a queue of AWS: as {@link #local} with the longest polls, which can be repeated. */
    public static QueueSettings aws(String name, String queueUrl, String queueArn) {
        QueueSettings local = local(name, queueUrl, queueArn);
        return new QueueSettings(
                name,
                queueUrl,
                queueArn,
                local.batchSize,
                true,
                Duration.ofSeconds(20),
                local.visibility,
                local.requestTimeout,
                local.handlerDeadline,
                local.concurrency,
                local.retry);
    }

    /** These settings with another long poll. */
    public QueueSettings withLongPoll(Duration other) {
        return new QueueSettings(
                name,
                queueUrl,
                queueArn,
                batchSize,
                repeatsPolls,
                other,
                visibility,
                requestTimeout,
                handlerDeadline,
                concurrency,
                retry);
    }

    /**
     * These settings with another deadline for the handler and the visibility timeout that goes
     * with it.
     */
    public QueueSettings withHandlerDeadline(Duration deadline) {
        return new QueueSettings(
                name,
                queueUrl,
                queueArn,
                batchSize,
                repeatsPolls,
                longPoll,
                deadline.multipliedBy(VISIBILITY_PER_DEADLINE),
                requestTimeout,
                deadline,
                concurrency,
                retry);
    }

    /** These settings with another number of batches at once. */
    public QueueSettings withConcurrency(int batches) {
        return new QueueSettings(
                name,
                queueUrl,
                queueArn,
                batchSize,
                repeatsPolls,
                longPoll,
                visibility,
                requestTimeout,
                handlerDeadline,
                batches,
                retry);
    }

    int longPollSeconds() {
        return wholeSeconds(longPoll);
    }

    int visibilitySeconds() {
        return wholeSeconds(visibility);
    }

    /** Rounded up: SQS counts in whole seconds. */
    static int wholeSeconds(Duration duration) {
        return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
    }
}
