package dev.headstone.standalone.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ServeOptionsTest {

    @Test
    void withoutOptionsEverythingIsEmbeddedOnThisMachine() {
        assertThat(ServeOptions.from(Map.of(), Map.of()))
                .isEqualTo(
                        new ServeOptions(
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 8080),
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 8081),
                                Path.of("./data"),
                                false,
                                Optional.empty(),
                                Backend.EMBEDDED,
                                Backend.EMBEDDED,
                                new RedisTarget.Embedded(),
                                true,
                                true,
                                0,
                                false,
                                true,
                                404,
                                new ResourceNames("Links", "AuditLog", "headstone-audit.fifo")));
    }

    @Test
    void everySettingIsAVariableToo() {
        Map<String, String> environment =
                Map.ofEntries(
                        Map.entry("HEADSTONE_PORT", "80"),
                        Map.entry("HEADSTONE_CONTROL_PORT", "0"),
                        Map.entry("HEADSTONE_BIND", "0.0.0.0"),
                        Map.entry("HEADSTONE_CONTROL_BIND", "::1"),
                        Map.entry("HEADSTONE_DATA", "/some where"),
                        Map.entry("HEADSTONE_IN_MEMORY", "true"),
                        Map.entry("HEADSTONE_BASE_URL", "https://go.example/"),
                        Map.entry("HEADSTONE_TABLE", "aws"),
                        Map.entry("HEADSTONE_QUEUE", "aws"),
                        Map.entry("HEADSTONE_REDIS", "rediss://cache.example:7000"),
                        Map.entry("HEADSTONE_CREATE_RESOURCES", "true"),
                        Map.entry("HEADSTONE_REDIS_ACKS", "2"),
                        Map.entry("HEADSTONE_REDIS_DURABLE", "true"),
                        Map.entry("HEADSTONE_COUNT_VISITS", "off"),
                        Map.entry("HEADSTONE_GONE_STATUS", "451"),
                        Map.entry("HEADSTONE_LINKS_TABLE", "Short"),
                        Map.entry("HEADSTONE_AUDIT_TABLE", "ShortAudit"),
                        Map.entry("HEADSTONE_AUDIT_QUEUE", "short.fifo"));

        assertThat(ServeOptions.from(Map.of(), environment))
                .isEqualTo(
                        new ServeOptions(
                                new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 80),
                                new InetSocketAddress(InetAddress.ofLiteral("::1"), 0),
                                Path.of("/some where"),
                                true,
                                Optional.of(URI.create("https://go.example")),
                                Backend.AWS,
                                Backend.AWS,
                                new RedisTarget.Node(
                                        RedisURI.create("rediss://cache.example:7000")),
                                true,
                                true,
                                2,
                                true,
                                false,
                                451,
                                new ResourceNames("Short", "ShortAudit", "short.fifo")));
        assertThat(Arrays.stream(Setting.values()).map(Setting::variable))
                .isSubsetOf(environment.keySet());
    }

    @ParameterizedTest
    @CsvSource({"9000, 9001, 9000", ", 9001, 9001", ", , 8080", ", '', 8080"})
    void anOptionCountsBeforeAVariableAndAVariableBeforeTheDefault(
            @Nullable String option, @Nullable String variable, int port) {
        Map<Setting, String> options = new EnumMap<>(Setting.class);
        Map<String, String> environment = new TreeMap<>();
        if (option != null) {
            options.put(Setting.PORT, option);
        }
        if (variable != null) {
            environment.put("HEADSTONE_PORT", variable);
        }

        assertThat(ServeOptions.from(options, environment).redirects().getPort()).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PORT|-1",
                "PORT|65536",
                "PORT|80a",
                "PORT|٨٠",
                "PORT|99999999999999999999",
                "CONTROL_PORT|+1",
                "BIND|not an address",
                "BIND|999.1.1.1.1",
                "DATA|' '",
                "IN_MEMORY|maybe",
                "BASE_URL|ftp://h",
                "BASE_URL|go.example",
                "BASE_URL|http://",
                "BASE_URL|http://u:secret@h",
                "BASE_URL|http://h/?q",
                "BASE_URL|http://h/#f",
                "BASE_URL|http://h:0",
                "BASE_URL|http://h:70000",
                "BASE_URL|http://bücher.example",
                "BASE_URL|http://h o",
                "TABLE|AWS",
                "QUEUE|elastic",
                "REDIS|localhost:6379",
                "REDIS|http://h",
                "REDIS|redis://",
                "REDIS|redis://:secret@h:0",
                "REDIS|redis://:secret@h:65536",
                "REDIS|redis://h:port",
                "REDIS|redis-sentinel://h:26379",
                "REDIS|redis-sentinel://#main",
                "REDIS|redis-cluster://",
                "REDIS|redis-cluster://h1,,h2",
                "REDIS|redis-cluster://:secret@h1,h2:x",
                "REDIS_ACKS|-1",
                "REDIS_ACKS|many",
                "REDIS_DURABLE|2",
                "CREATE_RESOURCES|perhaps",
                "COUNT_VISITS|sometimes",
                "GONE_STATUS|403",
                "GONE_STATUS|0410",
            })
    void aMalformedValueIsRefusedByTheNameItWasGivenUnderAndNotQuoted(
            Setting setting, String value) {
        assertThatThrownBy(() -> ServeOptions.from(Map.of(setting, value), Map.of()))
                .isInstanceOf(Misuse.class)
                .message()
                .startsWith(setting.option() + " must be ")
                .doesNotContain("\n", "secret");
        assertThatThrownBy(() -> ServeOptions.from(Map.of(), Map.of(setting.variable(), value)))
                .isInstanceOf(Misuse.class)
                .message()
                .startsWith(setting.variable() + " must be ")
                .doesNotContain("\n", "secret");
    }

    @ParameterizedTest
    @CsvSource({
        "HEADSTONE_LINKS_TABLE, ab",
        "HEADSTONE_LINKS_TABLE, a b c",
        "HEADSTONE_AUDIT_TABLE, x/y/z",
        "HEADSTONE_AUDIT_QUEUE, audit",
        "HEADSTONE_AUDIT_QUEUE, .fifo",
        "HEADSTONE_AUDIT_QUEUE, a.b.fifo",
    })
    void aMalformedNameIsRefused(String variable, String value) {
        assertThatThrownBy(() -> ServeOptions.from(Map.of(), Map.of(variable, value)))
                .isInstanceOf(Misuse.class)
                .hasMessageStartingWith(variable + " must be ");
    }

    @Test
    void theDeadLettersAreNamedAfterTheQueue() {
        assertThat(new ResourceNames("L", "A", "my-audit.fifo").auditDeadLetters())
                .isEqualTo("my-audit-dlq.fifo");
    }

    @Test
    void everyFormOfRedisIsRead() {
        assertThat(redis("redis://:pw@h:6380/2"))
                .isEqualTo(new RedisTarget.Node(RedisURI.create("redis://:pw@h:6380/2")));
        assertThat(redis("rediss://h"))
                .isEqualTo(new RedisTarget.Node(RedisURI.create("rediss://h")));
        assertThat(redis("redis-sentinel://:pw@s1:26379,s2/0#main"))
                .isInstanceOfSatisfying(
                        RedisTarget.Sentinel.class,
                        sentinel -> {
                            assertThat(sentinel.uri().getSentinelMasterId()).isEqualTo("main");
                            assertThat(sentinel.uri().getSentinels())
                                    .extracting(RedisURI::getHost)
                                    .containsExactly("s1", "s2");
                        });
        assertThat(redis("redis-cluster://:pw@h1,h2:7001"))
                .isEqualTo(
                        new RedisTarget.Cluster(
                                List.of(
                                        RedisURI.create("redis://:pw@h1"),
                                        RedisURI.create("redis://:pw@h2:7001"))));
    }

    @Test
    void noTargetShowsItsPassword() {
        assertThat(redis("redis://user:hunter2@h").toString()).doesNotContain("hunter2");
        assertThat(redis("redis-cluster://:hunter2@h1,h2").toString()).doesNotContain("hunter2");
        assertThat(redis("redis-sentinel://:hunter2@s1#main").toString()).doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel://:secret@s1,s2#main", "redis-cluster://:secret@h1,h2"})
    void aStoreThatMayFailOverStartsOnlyWithAcknowledgedOrDurableWrites(String uri) {
        Map<Setting, String> options = new EnumMap<>(Map.of(Setting.REDIS, uri));
        assertThatThrownBy(() -> ServeOptions.from(options, Map.of()))
                .isInstanceOf(Misuse.class)
                .message()
                .startsWith("--redis: ")
                .contains("--redis-acks", "--redis-durable", "promote a replica")
                .doesNotContain("secret");

        options.put(Setting.REDIS_DURABLE, "true");
        assertThat(ServeOptions.from(options, Map.of()).redisDurable()).isTrue();

        options.put(Setting.REDIS_DURABLE, "false");
        options.put(Setting.REDIS_ACKS, "1");
        assertThat(ServeOptions.from(options, Map.of()).redisAcks()).isEqualTo(1);
    }

    @Test
    void theEmbeddedRedisHasNoReplicasToWaitFor() {
        assertThatThrownBy(() -> ServeOptions.from(Map.of(Setting.REDIS_ACKS, "1"), Map.of()))
                .isInstanceOf(Misuse.class)
                .hasMessageStartingWith("--redis-acks must be 0");
    }

    @ParameterizedTest
    @CsvSource({
        "embedded, embedded, , true, true",
        "aws, embedded, , false, true",
        "embedded, aws, , true, false",
        "aws, aws, true, true, true",
        "embedded, embedded, false, false, false",
    })
    void resourcesAreCreatedWhereTheyAreEmbeddedUnlessSaidOtherwise(
            String table, String queue, @Nullable String create, boolean tables, boolean queues) {
        Map<Setting, String> options =
                new EnumMap<>(Map.of(Setting.TABLE, table, Setting.QUEUE, queue));
        if (create != null) {
            options.put(Setting.CREATE_RESOURCES, create);
        }

        ServeOptions read = ServeOptions.from(options, Map.of());

        assertThat(read.createTables()).isEqualTo(tables);
        assertThat(read.createQueues()).isEqualTo(queues);
    }

    @Test
    void bothListenersCannotShareAPort() {
        assertThatThrownBy(() -> ServeOptions.from(Map.of(Setting.PORT, "8081"), Map.of()))
                .isInstanceOf(Misuse.class)
                .hasMessage("--port: redirects and control cannot share port 8081");
        assertThat(
                        ServeOptions.from(
                                        Map.of(Setting.PORT, "0", Setting.CONTROL_PORT, "0"),
                                        Map.of())
                                .control()
                                .getPort())
                .isZero();
    }

    @Test
    void shortUrlsBeginWithTheBaseUrlOrElseWithThisMachineAndThePortInUse() {
        assertThat(ServeOptions.from(Map.of(), Map.of()).baseUrl(4711))
                .isEqualTo(URI.create("http://127.0.0.1:4711"));
        assertThat(
                        ServeOptions.from(
                                        Map.of(Setting.BASE_URL, "https://go.example/s//"),
                                        Map.of())
                                .baseUrl(4711))
                .isEqualTo(URI.create("https://go.example/s"));
    }

    private static RedisTarget redis(String uri) {
        return ServeOptions.from(Map.of(Setting.REDIS, uri, Setting.REDIS_ACKS, "1"), Map.of())
                .redis();
    }
}
