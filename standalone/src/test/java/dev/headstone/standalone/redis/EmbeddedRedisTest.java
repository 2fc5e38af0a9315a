package dev.headstone.standalone.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headstone.standalone.ChildJvm;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@Tag("slow")
final class EmbeddedRedisTest {
    private static final String NOTHING = "";

    @TempDir private Path root;

    @Test
    void answersWhoeverHasThePasswordAndNobodyElse() throws Exception {
        try (EmbeddedRedis redis = start(NOTHING)) {
            assertThat(redis.isAlive()).isTrue();
            assertThat(ask(redis, commands -> commands.set("k", "v"))).isEqualTo("OK");
            assertThat(ask(redis, commands -> commands.get("k"))).isEqualTo("v");
            assertThat(withoutPassword(redis.uri().getPort())).startsWith("-NOAUTH");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void showsItsPasswordInNoListOfProcesses() throws Exception {
        String password = "07".repeat(32);
        try (EmbeddedRedis redis =
                EmbeddedRedis.start(root.resolve("redis"), System.getenv(), new Sevens())) {
            RedisURI known = RedisURI.create("redis://:" + password + "@127.0.0.1");
            known.setPort(redis.uri().getPort());
            assertThat(ask(known, RedisCommands::ping)).isEqualTo("PONG");

            Path process = Path.of("/proc", Long.toString(redis.pid()));
            assertThat(Files.readString(process.resolve("cmdline"))).doesNotContain(password);
            assertThat(Files.readString(process.resolve("environ"))).doesNotContain(password);
            assertThat(redis.uri().toString()).doesNotContain(password);
        }
    }

    @Test
    void keepsNothingOnDiskAndABoundedAmountInMemory() throws Exception {
        Path folder = root.resolve("redis");
        try (EmbeddedRedis redis = start(NOTHING)) {
            ask(redis, commands -> commands.set("k", "v"));
            assertThat(ask(redis, commands -> commands.configGet("maxmemory*").toString()))
                    .contains("maxmemory=134217728", "maxmemory-policy=allkeys-lru");
        }
        try (var files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString))
                    .containsExactly("redis-server");
        }
    }

    @Test
    void leavesNoChildWhenItIsClosed() throws Exception {
        EmbeddedRedis redis = start(System.getenv("PATH"));
        long pid = redis.pid();

        redis.close();

        assertThat(isAlive(pid)).isFalse();
        assertThat(redis.isAlive()).isFalse();
    }

    @Test
    void isStartedAgainOnTheSamePortWithinASecondWhenItDies() throws Exception {
        try (EmbeddedRedis redis = start(NOTHING)) {
            RedisURI before = redis.uri();
            for (int death = 1; death <= 3; death++) {
                long pid = redis.pid();
                ProcessHandle.of(pid).orElseThrow().destroyForcibly();

                await().atMost(Duration.ofSeconds(2))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> redis.pid() != pid && redis.isAlive());

                assertThat(redis.restarts()).isEqualTo(death);
                assertThat(redis.uri()).isEqualTo(before);
                assertThat(ask(redis, RedisCommands::ping)).isEqualTo("PONG");
            }
        }
    }

    @Test
    void aDeathThatRepeatsItselfIsAnsweredAtMostTwiceASecond() throws Exception {
        try (EmbeddedRedis redis = start(NOTHING)) {
            long start = System.nanoTime();
            for (int death = 1; death <= 4; death++) {
                long pid = redis.pid();
                ProcessHandle.of(pid).orElseThrow().destroyForcibly();
                await().atMost(Duration.ofSeconds(3))
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> redis.pid() != pid && redis.isAlive());
            }

            // The first death may come after its half second; three more wait.
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(Duration.ofMillis(1400));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void diesWithAParentThatIsKilled() throws Exception {
        try (ChildJvm parent = parent(System.getenv("PATH"))) {
            long pid = Long.parseLong(parent.line());
            assertThat(isAlive(pid)).isTrue();

            parent.kill();

            await().atMost(Duration.ofSeconds(5)).until(() -> !isAlive(pid));
        }
    }

    @Test
    void isEndedByTheNextStartWhenItsParentWasKilledAndNothingElseEndsIt() throws Exception {
        try (ChildJvm parent = parent(NOTHING)) {
            long pid = Long.parseLong(parent.line());
            parent.kill();
            assertThat(isAlive(pid)).isTrue();

            try (EmbeddedRedis redis = start(NOTHING)) {
                assertThat(isAlive(pid)).isFalse();
                assertThat(ask(redis, RedisCommands::ping)).isEqualTo("PONG");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"another program", "another time"})
    void aProcessThatOnlyHasTheSameNumberIsLeftAlone(String difference) throws Exception {
        Path folder = Files.createDirectories(root.resolve("redis"));
        Process innocent = new ProcessBuilder("sleep", "100").start();
        try (EmbeddedRedis other = EmbeddedRedis.start(root.resolve("other"), Map.of(), random())) {
            boolean sameTime = difference.equals("another program");
            ProcessHandle named =
                    sameTime ? innocent.toHandle() : ProcessHandle.of(other.pid()).orElseThrow();
            Instant startedAt = named.info().startInstant().orElseThrow();
            long written = startedAt.minusSeconds(sameTime ? 0 : 60).toEpochMilli();
            Files.writeString(folder.resolve("redis.pid"), named.pid() + " " + written + "\n");

            start(NOTHING).close();

            assertThat(named.isAlive()).isTrue();
            assertThat(other.restarts()).isZero();
        } finally {
            innocent.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1", "99999999999 1", "2147483647 0"})
    void aFileThatNamesNobodyIsNoHindrance(String text) throws Exception {
        Files.writeString(
                Files.createDirectories(root.resolve("redis")).resolve("redis.pid"), text);

        start(NOTHING).close();
    }

    @Test
    void theRedisOnThePathIsTakenBeforeTheOneThatComesAlong() throws Exception {
        Path installed = Files.createDirectories(root.resolve("bin"));
        Files.copy(
                RedisBinary.find(NOTHING, Files.createDirectories(root.resolve("unpacked"))),
                installed.resolve("redis-server"));
        executable(installed.resolve("redis-server"));

        try (EmbeddedRedis redis = start("/nowhere:" + installed)) {
            assertThat(command(redis)).isEqualTo(installed.toRealPath() + "/redis-server");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo 'Redis server v=6.0.16 sha=0'", "echo 'no version'", "exit 1"})
    void oneOnThePathThatIsTooOldOrDoesNotRunIsPassedOver(String script) throws Exception {
        Path installed = Files.createDirectories(root.resolve("bin"));
        Files.writeString(installed.resolve("redis-server"), "#!/bin/sh\n" + script + "\n");
        executable(installed.resolve("redis-server"));

        try (EmbeddedRedis redis = start(installed.toString())) {
            assertThat(command(redis)).isEqualTo(root.toRealPath() + "/redis/redis-server");
        }
    }

    @Test
    void aBinaryThatWasUnpackedByHalfIsUnpackedAgain() throws Exception {
        Path folder = Files.createDirectories(root.resolve("redis"));
        Path binary = RedisBinary.find(NOTHING, folder);
        byte[] whole = Files.readAllBytes(binary);
        byte[] rotten = whole.clone();
        rotten[whole.length / 2] ^= 1;
        Files.write(binary, rotten);

        RedisBinary.find(NOTHING, folder);
        assertThat(Files.readAllBytes(binary)).isEqualTo(whole);

        Files.write(binary, new byte[] {1, 2, 3});
        start(NOTHING).close();
        assertThat(Files.readAllBytes(binary)).isEqualTo(whole);
    }

    @Test
    void saysWhatRedisSaidWhenItDoesNotStart() throws Exception {
        Path installed = Files.createDirectories(root.resolve("bin"));
        Files.writeString(
                installed.resolve("redis-server"),
                """
                #!/bin/sh
                if [ "$1" = --version ]; then echo 'Redis server v=7.0.15'; exit; fi
                echo 'Bad directive'; exit 1
                """);
        executable(installed.resolve("redis-server"));

        assertThatThrownBy(() -> start(installed.toString()))
                .isInstanceOf(IOException.class)
                .cause()
                .hasMessage("redis-server ended at once: Bad directive");
    }

    private EmbeddedRedis start(String path) throws IOException, InterruptedException {
        return EmbeddedRedis.start(root.resolve("redis"), Map.of("PATH", path), random());
    }

    private ChildJvm parent(String path) throws IOException {
        return ChildJvm.start(Parent.class, root.resolve("redis").toString(), path);
    }

    private static SecureRandom random() {
        return new SecureRandom();
    }

    private static String ask(
            EmbeddedRedis redis, Function<RedisCommands<String, String>, String> question) {
        return ask(redis.uri(), question);
    }

    private static String ask(
            RedisURI uri, Function<RedisCommands<String, String>, String> question) {
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private static String withoutPassword(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(7), StandardCharsets.US_ASCII);
        }
    }

    private static String command(EmbeddedRedis redis) {
        return ProcessHandle.of(redis.pid()).orElseThrow().info().command().orElseThrow();
    }

    /** A zombie whose parent has not looked yet is not alive. */
    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Randomness that a test knows. */
    private static final class Sevens extends SecureRandom {
        private static final long serialVersionUID = 1L;

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 7);
        }
    }

    /** Starts a Redis, names it, and waits to be killed. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] arguments) throws Exception {
            EmbeddedRedis redis =
                    EmbeddedRedis.start(
                            Path.of(arguments[0]),
                            Map.of("PATH", arguments.length > 1 ? arguments[1] : ""),
                            random());
            System.out.println(redis.pid());
            Thread.currentThread().join();
            redis.close();
        }
    }
}
