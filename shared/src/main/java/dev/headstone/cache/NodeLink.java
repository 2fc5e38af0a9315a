package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The connections to one node: one for look-ups and leases of readers, one for leases of writers,
 * and one that carries confirmed writes and nothing else, so that {@code WAIT} speaks of them and
 * holds nobody else up. Safe for use by several threads.
 */
final class NodeLink implements AutoCloseable {
    private static final Pattern RUN_ID = field("run_id");
    private static final Pattern ROLE = field("role");
    private static final Pattern REPLICATION_ID = field("master_replid");
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

    /** Asks over each connection that is in use; they must all lead to the same. */
    Self ask(Duration budget) {
        long end = System.nanoTime() + budget.toNanos();
        boolean confirms = confirmers.generation() > 0; // a connection nobody opened leads nowhere
        Optional<Asked> first = send(readers);
        Optional<Asked> second = confirms ? send(confirmers) : Optional.empty();
        if (first.isEmpty() || (confirms && second.isEmpty())) {
            return new Self.Unclear("the cache is not connected");
        }
        Self self = first.get().self(end);
        return second.isEmpty() || !(self instanceof Self.Primary)
                ? self
                : both(self, second.get().self(end));
    }

    private Self both(Self read, Self confirmed) {
        if (confirmed instanceof Self.Unclear || read.equals(confirmed)) {
            return confirmed;
        }
        reopen(DIFFERENT);
        return new Self.Unclear(DIFFERENT);
    }

    /** Two questions in one flight. */
    private record Asked(Future<String> server, Future<String> replication) {
        Self self(long end) {
            Optional<String> who = text(server, end);
            Optional<String> what = text(replication, end);
            Optional<String> runId = who.flatMap(info -> find(RUN_ID, info));
            Optional<String> role = what.flatMap(info -> find(ROLE, info));
            Optional<String> replicationId = what.flatMap(info -> find(REPLICATION_ID, info));
            if (runId.isEmpty() || role.isEmpty() || replicationId.isEmpty()) {
                return new Self.Unclear("the cache did not say who it is");
            }
            return role.get().equals("master")
                    ? new Self.Primary(CacheRun.of(runId.get(), replicationId.get()))
                    : new Self.Replica();
        }

        private static Optional<String> text(Future<String> reply, long end) {
            return switch (RedisReply.await(reply, Duration.ofNanos(end - System.nanoTime()))) {
                case RedisReply.Came<String>(String info) -> Optional.ofNullable(info);
                case RedisReply.Lost<String> _ -> Optional.empty();
            };
        }

        private static Optional<String> find(Pattern field, String info) {
            Matcher matcher = field.matcher(info);
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        }
    }

    private static Optional<Asked> send(RedisConnector connector) {
        RedisAsyncCommands<String, byte[]> redis = connector.commands();
        return redis == null
                ? Optional.empty()
                : Optional.of(new Asked(redis.info("server"), redis.info("replication")));
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
