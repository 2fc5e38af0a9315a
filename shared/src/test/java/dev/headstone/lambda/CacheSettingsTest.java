package dev.headstone.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.headstone.cache.CacheAddress;
import dev.headstone.cache.TrustRule;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CacheSettingsTest {
    @Test
    void readsAllOfThem() {
        CacheSettings settings =
                CacheSettings.from(
                        new Environment(
                                Map.of(
                                        "HEADSTONE_REDIS", "rediss://ann@cache.test:7000",
                                        "HEADSTONE_REDIS_ACKS", "2",
                                        "HEADSTONE_REDIS_DURABLE", "true",
                                        "HEADSTONE_REDIS_TOKEN_PARAMETER", "/headstone/token",
                                        "AWS_ENDPOINT_URL_SSM", "http://127.0.0.1:1")));

        assertThat(nodes(settings))
                .singleElement()
                .returns(true, RedisURI::isSsl)
                .returns("cache.test", RedisURI::getHost)
                .returns(7_000, RedisURI::getPort);
        assertThat(settings.username()).contains("ann");
        assertThat(settings.tokenParameter()).contains("/headstone/token");
        assertThat(settings.parameterStore()).contains(URI.create("http://127.0.0.1:1"));
        assertThat(settings.trust()).isEqualTo(TrustRule.DURABLE);
        assertThat(settings.adapter().acks()).isZero(); // a durable store acknowledges by itself
    }

    @Test
    void verifiesAndWaitsForNobodyUnlessToldOtherwise() {
        CacheSettings settings =
                CacheSettings.from(
                        new Environment(Map.of("HEADSTONE_REDIS", "redis://cache.test")));

        assertThat(settings.trust()).isEqualTo(TrustRule.VERIFIED);
        assertThat(settings.adapter().acks()).isZero();
        assertThat(nodes(settings)).singleElement().returns(false, RedisURI::isSsl);
        assertThat(settings.username()).isEmpty();
        assertThat(settings.tokenParameter()).isEmpty();
    }

    @Test
    void findsAClusterThroughSeveralNodesWithOrWithoutTls() {
        CacheSettings settings =
                CacheSettings.from(
                        new Environment(
                                Map.of(
                                        "HEADSTONE_REDIS", "rediss-cluster://a.test:7000,b.test",
                                        "HEADSTONE_REDIS_ACKS", "1")));

        assertThat(settings.address()).isInstanceOf(CacheAddress.Cluster.class);
        assertThat(nodes(settings))
                .extracting(RedisURI::getHost, RedisURI::getPort, RedisURI::isSsl)
                .containsExactly(tuple("a.test", 7_000, true), tuple("b.test", 6_379, true));
        assertThat(settings.adapter().acks()).isOne();
    }

    @Test
    void refusesAClusterWhoseFailoverWouldUndoATakedown() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                CacheSettings.from(
                                        new Environment(
                                                Map.of(
                                                        "HEADSTONE_REDIS",
                                                        "redis-cluster://a.test"))))
                .withMessageContaining("HEADSTONE_REDIS_ACKS")
                .withMessageContaining("HEADSTONE_REDIS_DURABLE");
    }

    private static List<RedisURI> nodes(CacheSettings settings) {
        return switch (settings.address()) {
            case CacheAddress.Node(RedisURI node) -> List.of(node);
            case CacheAddress.Sentinel(RedisURI sentinels) -> List.of(sentinels);
            case CacheAddress.Cluster(List<RedisURI> seeds) -> seeds;
        };
    }

    @Test
    void wantsToKnowWhereTheCacheIs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheSettings.from(new Environment(Map.of())))
                .withMessageContaining("HEADSTONE_REDIS is missing");
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "HEADSTONE_REDIS, cache.test",
        "HEADSTONE_REDIS, http://cache.test",
        "HEADSTONE_REDIS, redis://cache.test:99999",
        "HEADSTONE_REDIS, redis://cache.test:x",
        "HEADSTONE_REDIS, redis://?h",
        "HEADSTONE_REDIS, 'redis://a.test,b.test'",
        "HEADSTONE_REDIS, 'redis-cluster://a.test,'",
        "HEADSTONE_REDIS_DURABLE, maybe",
        "HEADSTONE_REDIS_ACKS, -1",
        "HEADSTONE_REDIS_ACKS, 17",
        "HEADSTONE_REDIS_ACKS, two",
        "HEADSTONE_REDIS_TOKEN_PARAMETER, a token",
        "AWS_ENDPOINT_URL_SSM, http://[",
    })
    void namesTheVariableAtFaultAndNotItsValue(String name, String value) {
        Map<String, String> variables = new HashMap<>(Map.of("HEADSTONE_REDIS", "redis://h"));
        variables.put(name, value);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheSettings.from(new Environment(variables)))
                .withMessageContaining(name + " must be")
                .withMessageNotContaining(value)
                .withNoCause();
    }
}
