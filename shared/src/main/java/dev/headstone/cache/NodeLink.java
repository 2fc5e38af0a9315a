package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one node: one for look-ups and leases of readers, one for leases of writers,
 * and one that carries confirmed writes and nothing else, so that {@code WAIT} speaks of them and
 * holds nobody else up. Safe for use by several threads.
 */
final class NodeLink implements AutoCloseable {
    private static final Pattern ROLE = field("role");
    private static final Pattern REPLICATION_ID = field("master_replid");
    private static final String REPLICATION = "replication";
    private static final String SILENT = "the cache did not say who it is";
    private static final String DIFFERENT = "the connections lead to different nodes";

    private final RedisConnector readers;
    private final RedisConnector writers;
    private final RedisConnector confirmers;

    NodeLink(RedisClient client, Supplier<CompletionStage<RedisURI>> target) {
        this.readers = new RedisConnector(client, target);
        this.writers = new RedisConnector(client, target);
        this.confirmers = new RedisConnector(client, target);
    }

    private static Pattern field(String name) {
        return Pattern.compile("^" + name + ":([0-9A-Za-z]+)\\s*$", Pattern.MULTILINE);
    }

    /** What the node says of itself. */
    sealed interface Self {
        record Primary(CacheRun run) implements Self {}

        record Replica() implements Self {}

        record Unclear(String why) implements Self {}
    }

    RedisConnector readers() {
        return readers;
    }

    RedisConnector writers() {
        return writers;
    }

    RedisConnector confirmers() {
        return confirmers;
    }

    /** Changes as soon as a connection that tells or writes something is opened anew. */
    long incarnation() {
        return readers.generation() + confirmers.generation(); // each only grows
    }

    boolean connect(Duration deadline) {
        return readers.connect(deadline)
                && writers.connect(deadline)
                && confirmers.connect(deadline);
    }

    /** Whether confirmed writes have been sent from here, or are to be. */
    boolean confirms() {
        return confirmers.generation() > 0;
    }

    /** Begins to connect, and does not wait for it. */
    void begin(boolean all) {
        var _ = readers.commands();
        if (all) {
            var _ = writers.commands();
            var _ = confirmers.commands();
        }
    }

    /** Where look-ups go; empty while they go nowhere. */
    Optional<String> address() {
        return Optional.ofNullable(readers.open()).map(RedisConnector.Open::address);
    }

    /** Asks the node who it is, and waits for the answer. */
    Self ask(Duration budget) {
        return question().answer(System.nanoTime() + budget.toNanos());
    }

    /**
     * Sends the question, over the connection of look-ups; the answer is awaited later. Confirmed
     * writes wait for replicas on theirs, and nobody asks anything behind them: that it leads to
     * the same process is known since it was opened.
     */
    Question question() {
        RedisConnector.Open reader = readers.open();
        RedisConnector.Open confirmer = confirms() ? confirmers.open() : reader;
        return new Question(
                reader,
                confirmer,
                reader == null ? null : reader.connection().async().info(REPLICATION));
    }

    /** A question that is under way. */
    final class Question {
        private final RedisConnector.@Nullable Open reader;
        private final RedisConnector.@Nullable Open confirmer;
        private final @Nullable Future<String> replication;

        private Question(
                RedisConnector.@Nullable Open reader,
                RedisConnector.@Nullable Open confirmer,
                @Nullable Future<String> replication) {
            this.reader = reader;
            this.confirmer = confirmer;
            this.replication = replication;
        }

        /** What the node says, by {@code end} of the monotonic clock. */
        Self answer(long end) {
            if (reader == null || confirmer == null || replication == null) {
                return new Self.Unclear("the cache is not connected");
            }
            if (!reader.runId().equals(confirmer.runId())) {
                reopen(DIFFERENT);
                return new Self.Unclear(DIFFERENT);
            }
            Duration left = Duration.ofNanos(end - System.nanoTime());
            return switch (RedisReply.await(replication, left)) {
                case RedisReply.Came<String>(String info) when info != null ->
                        self(reader.runId(), info);
                case RedisReply.Came<String> _, RedisReply.Lost<String> _ ->
                        new Self.Unclear(SILENT);
            };
        }
    }

    private static Self self(Optional<String> runId, String info) {
        Optional<String> role = find(ROLE, info);
        Optional<String> replicationId = find(REPLICATION_ID, info);
        if (runId.isEmpty() || role.isEmpty() || replicationId.isEmpty()) {
            return new Self.Unclear(SILENT);
        }
        return role.get().equals("master")
                ? new Self.Primary(CacheRun.of(runId.get(), replicationId.get()))
                : new Self.Replica();
    }

    private static Optional<String> find(Pattern field, String info) {
        Matcher matcher = field.matcher(info);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** Gives all connections up and opens them again, to where the node is now. */
    void reopen(String why) {
        readers.reopen(why);
        writers.reopen(why);
        confirmers.reopen(why);
    }

    @Override
    public void close() {
        readers.close();
        writers.close();
        confirmers.close();
    }
}
