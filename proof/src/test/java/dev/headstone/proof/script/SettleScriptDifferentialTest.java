package dev.headstone.proof.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheKeys;
import dev.headstone.cache.RealRedis;
import dev.headstone.cache.SettleScript;
import dev.headstone.cache.UnreadableValues;
import dev.headstone.link.ShortCode;
import dev.headstone.proof.script.MemoryRedis.Entry;
import dev.headstone.proof.script.MemoryRedis.Value;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The interpreter and a real Redis do the same with the script, whatever lies under its keys. */
final class SettleScriptDifferentialTest {
    private static final int CASES = Integer.getInteger("cases", 3_000);
    private static final String TELLING =
            "\0\t\n\r\f \"\\{}[]:,.+-019aefnuxEINX/\u007f\u0080\u00c3\u00ff";
    private static final ShortCode CODE = new ShortCode("abc");
    private static final String URL = CacheKeys.record(CODE);
    private static final String LEASE = CacheKeys.lease(CODE);
    private static final List<String> FOREIGN = List.of("list", "hash", "set", "zset");
    private static final List<String> STAMPS =
            List.of(
                    "1790000000000.0000000000000000002.0",
                    "1790000000000.0000000000000000003.0",
                    "1790000000000.0000000000000000003.1",
                    "1790000000001.0000000000000000001.0",
                    "1789999999999.0000000000000000009.1");
    private static final List<String> VERBS =
            List.of("write", "drop-older", "drop-up-to", "drop-all", "release");

    private static RealRedis server;
    private static RedisClient client;
    private static RedisCommands<String, String> redis;

    @BeforeAll
    static void start() {
        server = RealRedis.start();
        client = RedisClient.create(server.uri());
        RedisCodec<String, String> bytes = new StringCodec(StandardCharsets.ISO_8859_1);
        redis =
                org.awaitility.Awaitility.await()
                        .ignoreExceptions()
                        .until(() -> client.connect(bytes).sync(), connected -> connected != null);
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        server.close();
    }

    /** What lies under one key before the script runs. */
    private record Before(Optional<Value> value, boolean ends) {}

    /** One run of the script. */
    private record Case(Before url, Before lease, List<String> arguments) {}

    /** What came of it. */
    private record After(String reply, String url, String lease, String life) {}

    @Test
    void agreesWithARealRedis() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        SettleInterpreter interpreter = new SettleInterpreter(SettleScript.text());
        List<String> values = values();
        String digest = redis.scriptLoad(SettleScript.text());
        for (int i = 0; i < CASES; i++) {
            Case wanted = any(random, values);

            assertThat(interpreted(interpreter, wanted))
                    .as("seed %d, case %d: %s", seed, i, wanted)
                    .isEqualTo(real(digest, wanted));
        }
    }

    private static List<String> values() {
        List<String> values = new ArrayList<>();
        String later = record(STAMPS.get(1));
        for (String number : List.of("0x1F", "007", "-0x2", "1e3", "NaN", "-1.5", "+4", "5.")) {
            values.add(later.substring(0, later.length() - 1) + ",\"later\":" + number + "}");
        }
        UnreadableValues.all().forEach(value -> values.add(chars(value)));
        UnreadableValues.readable().forEach(value -> values.add(chars(value)));
        for (String stamp : STAMPS) {
            values.add(record(stamp));
        }
        return values;
    }

    private static String chars(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String record(String stamp) {
        return stamp.endsWith("1")
                ? "{\"state\":\"deleted\",\"stamp\":\""
                        + stamp
                        + "\",\"stale_until\":1798000000000}"
                : "{\"state\":\"active\",\"stamp\":\""
                        + stamp
                        + "\",\"long_url\":\"https://example.com/\",\"fresh_until\":1798000000000,"
                        + "\"stale_until\":1798000900000}";
    }

    private static Case any(SplittableRandom random, List<String> values) {
        List<String> arguments = new ArrayList<>();
        arguments.add("ours");
        String verb = one(VERBS, random);
        arguments.add(verb);
        String stamp = one(STAMPS, random);
        boolean stampless = verb.equals("drop-all") || verb.equals("release");
        arguments.add(stampless ? "" : stamp);
        if (verb.equals("write")) {
            arguments.add(record(stamp));
            arguments.add(Long.toString(10_000L * random.nextLong(100, 9_000)));
        }
        return new Case(url(random, values), lease(random), arguments);
    }

    private static Before url(SplittableRandom random, List<String> values) {
        boolean ends = random.nextBoolean();
        return switch (random.nextInt(10)) {
            case 0 -> new Before(Optional.empty(), false);
            case 1 -> new Before(Optional.of(new Value.Foreign(one(FOREIGN, random))), ends);
            case 2, 3, 4 ->
                    new Before(Optional.of(new Value.Text(record(one(STAMPS, random)))), ends);
            case 5, 6 -> new Before(Optional.of(new Value.Text(one(values, random))), ends);
            default ->
                    new Before(
                            Optional.of(new Value.Text(damaged(one(values, random), random))),
                            ends);
        };
    }

    private static Before lease(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> new Before(Optional.empty(), false);
            case 1 -> new Before(Optional.of(new Value.Text("another's")), true);
            case 2 -> new Before(Optional.of(new Value.Foreign(one(FOREIGN, random))), false);
            default -> new Before(Optional.of(new Value.Text("ours")), random.nextBoolean());
        };
    }

    /** One byte more, less, or another. */
    private static String damaged(String value, SplittableRandom random) {
        if (value.isEmpty()) {
            return value;
        }
        int at = random.nextInt(value.length());
        String other = String.valueOf(anyByte(random));
        return switch (random.nextInt(4)) {
            case 0 -> value.substring(0, at) + value.substring(at + 1);
            case 1 -> value.substring(0, at) + other + value.substring(at);
            case 2 -> value.substring(0, at) + other + value.substring(at + 1);
            default -> value.substring(0, at);
        };
    }

    /** Half of the time one that means something to a reader of JSON. */
    private static char anyByte(SplittableRandom random) {
        return random.nextBoolean()
                ? (char) random.nextInt(256)
                : TELLING.charAt(random.nextInt(TELLING.length()));
    }

    private static <T> T one(List<T> of, SplittableRandom random) {
        return of.get(random.nextInt(of.size()));
    }

    private static After interpreted(SettleInterpreter interpreter, Case wanted) {
        MemoryRedis memory = new MemoryRedis();
        memory.put(URL, entry(wanted.url()));
        memory.put(LEASE, entry(wanted.lease()));
        ScriptReply reply = interpreter.run(memory, List.of(URL, LEASE), wanted.arguments());
        return new After(
                reply.verdict() + " " + reply.stamp(),
                memory.get(URL).map(entry -> words(entry.value())).orElse("nothing"),
                memory.get(LEASE).map(entry -> words(entry.value())).orElse("nothing"),
                life(memory.get(URL).flatMap(Entry::until).orElse(-1L)));
    }

    /** To the ten seconds below which a slow machine cannot be told from a wrong life. */
    private static String life(long millis) {
        return millis < 0 ? "no end" : "about " + Math.ceilDiv(millis, 10_000L) + " times 10 s";
    }

    private static Optional<Entry> entry(Before before) {
        return before.value()
                .map(
                        value ->
                                new Entry(
                                        value,
                                        before.ends()
                                                ? Optional.of(1_000_000L)
                                                : Optional.empty()));
    }

    private static String words(Value value) {
        return switch (value) {
            case Value.Text(String bytes) -> "text " + bytes;
            case Value.Foreign(String type) -> "a " + type;
        };
    }

    private static After real(String digest, Case wanted) {
        redis.flushall();
        put(URL, wanted.url());
        put(LEASE, wanted.lease());
        List<Object> reply =
                redis.evalsha(
                        digest,
                        ScriptOutputType.MULTI,
                        new String[] {URL, LEASE},
                        wanted.arguments().toArray(String[]::new));
        long life = redis.pttl(URL);
        return new After(
                reply.getFirst() + " " + (reply.size() > 1 ? reply.get(1) : ""),
                lies(URL),
                lies(LEASE),
                life(life));
    }

    private static void put(String key, Before before) {
        if (before.value().isEmpty()) {
            return;
        }
        switch (before.value().get()) {
            case Value.Text(String bytes) -> redis.set(key, bytes);
            case Value.Foreign(String type) -> {
                switch (type) {
                    case "list" -> redis.lpush(key, "x");
                    case "hash" -> redis.hset(key, "x", "y");
                    case "set" -> redis.sadd(key, "x");
                    default -> redis.zadd(key, 1, "x");
                }
            }
        }
        if (before.ends()) {
            redis.pexpire(key, 1_000_000);
        }
    }

    private static String lies(String key) {
        String type = redis.type(key);
        return switch (type) {
            case "none" -> "nothing";
            case "string" -> "text " + redis.get(key);
            default -> "a " + type;
        };
    }
}
