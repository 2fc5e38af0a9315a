package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Three Sentinels of their own for a test, which take a primary for dead after half a second. */
public final class RealSentinels implements AutoCloseable {
    /** What they call the primary. */
    public static final String NAME = "main";

    private static final int COUNT = 3;

    private final List<Process> processes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    private RealSentinels() {}

    /**
     * Starts them and waits until all is well; they are told of each other and of the replica, for
     * to find that out would take them many seconds.
     */
    public static RealSentinels watch(RealRedis primary, RealRedis replica, RedisClient operator) {
        RealSentinels sentinels = new RealSentinels();
        for (int index = 0; index < COUNT; index++) {
            sentinels.ports.add(FreePort.any());
        }
        try {
            for (int index = 0; index < COUNT; index++) {
                sentinels.launch(index, primary, replica);
            }
        } catch (IOException e) {
            sentinels.close();
            throw new UncheckedIOException("no Sentinel could be started", e);
        }
        for (int port : sentinels.ports) {
            Awaitility.await("Sentinels are ready")
                    .atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> isReady(operator, port));
        }
        return sentinels;
    }

    private void launch(int index, RealRedis primary, RealRedis replica) throws IOException {
        Path directory = Files.createTempDirectory("headstone-sentinel");
        Path settings = directory.resolve("sentinel.conf");
        StringBuilder text = new StringBuilder();
        text.append("bind 127.0.0.1\nport ").append(ports.get(index));
        text.append("\ndir ").append(directory);
        text.append("\nsentinel myid ").append(id(index));
        text.append("\nsentinel monitor main 127.0.0.1 ").append(primary.port()).append(" 2");
        text.append("\nsentinel down-after-milliseconds main 500");
        text.append("\nsentinel failover-timeout main 3000");
        text.append("\nsentinel known-replica main 127.0.0.1 ").append(replica.port());
        for (int other = 0; other < COUNT; other++) {
            if (other != index) {
                text.append("\nsentinel known-sentinel main 127.0.0.1 ").append(ports.get(other));
                text.append(' ').append(id(other));
            }
        }
        Files.writeString(settings, text.append('\n').toString());
        Process process =
                new ProcessBuilder(RealRedis.executable(), settings.toString(), "--sentinel")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        processes.add(process);
    }

    private static String id(int index) {
        return String.valueOf(index + 1).repeat(40);
    }

    private static boolean isReady(RedisClient operator, int port) {
        try (StatefulRedisSentinelConnection<String, String> sentinel =
                operator.connectSentinel(RedisURI.create("127.0.0.1", port))) {
            String others = sentinel.sync().master(NAME).get("num-other-sentinels");
            return String.valueOf(COUNT - 1).equals(others)
                    && sentinel.sync().replicas(NAME).stream()
                            .anyMatch(replica -> "ok".equals(replica.get("master-link-status")));
        }
    }

    /** Where they listen. */
    public List<Integer> ports() {
        return List.copyOf(ports);
    }

    /** How a process finds the primary through Sentinels that listen there. */
    static CacheAddress through(List<Integer> ports) {
        RedisURI.Builder uri = RedisURI.builder().withSentinelMasterId(NAME);
        ports.forEach(port -> uri.withSentinel("127.0.0.1", port));
        return new CacheAddress.Sentinel(uri.build());
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
