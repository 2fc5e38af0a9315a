package dev.headstone.lambda;

import dev.headstone.cache.CacheAddress;
import dev.headstone.cache.RedisSettings;
import dev.headstone.cache.TrustRule;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the cache is and what makes a write to it confirmed.
 *
 * @param address without the token
 * @param username whose token it is, where tokens belong to users
 * @param durable whether the store persists before it answers
 * @param acks replicas that must acknowledge a confirmed write
 * @param tokenParameter the encrypted parameter that holds the AUTH token, if there is one
 * @param parameterStore where parameters are, if not where AWS has them
 */
public record CacheSettings(
        CacheAddress address,
        Optional<String> username,
        boolean durable,
        int acks,
        Optional<String> tokenParameter,
        Optional<URI> parameterStore) {
    private static final String REDIS = "HEADSTONE_REDIS";
    private static final String DURABLE = "HEADSTONE_REDIS_DURABLE";
    private static final String ACKS = "HEADSTONE_REDIS_ACKS";
    private static final String FORMS =
            "redis://HOST[:PORT], redis-cluster://HOST[:PORT],HOST[:PORT], or the same with rediss"
                    + " for TLS";

    /** More replicas than anybody runs behind one primary. */
    private static final int MOST_ACKS = 16;

    /** Lettuce's reader takes {@code redis://h:port} for a host, and quotes what it refuses. */
    private static final Pattern FORM =
            Pattern.compile(
                    "(?<scheme>rediss?)(?<cluster>-cluster)?://"
                            + "(?<credentials>(?<user>[^:/?#@]*)(:[^/?#@]*)?@)?(?<hosts>[^/?#@]+)");

    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:(?<port>[0-9]{1,5}))?");

    /**
     * Reads {@code HEADSTONE_REDIS}, {@code HEADSTONE_REDIS_DURABLE}, {@code HEADSTONE_REDIS_ACKS}
     * and {@code HEADSTONE_REDIS_TOKEN_PARAMETER}.
     *
     * @throws IllegalArgumentException naming the variable that is missing or malformed
     */
    public static CacheSettings from(Environment environment) {
        CacheSettings settings = read(environment);
        if (settings.address instanceof CacheAddress.Cluster
                && settings.acks == 0
                && !settings.durable) {
            throw new IllegalArgumentException(
                    REDIS
                            + ": a cluster may promote a replica that never saw a takedown; "
                            + ACKS
                            + " must say how many replicas acknowledge, or "
                            + DURABLE
                            + " that the store persists before it answers");
        }
        return settings;
    }

    private static CacheSettings read(Environment environment) {
        return new CacheSettings(
                environment.require(REDIS, CacheSettings::address, FORMS),
                environment.read(REDIS, CacheSettings::username, FORMS).flatMap(name -> name),
                environment.isOn(DURABLE),
                environment.number(ACKS, 0, 0, MOST_ACKS),
                environment.read(
                        "HEADSTONE_REDIS_TOKEN_PARAMETER",
                        CacheSettings::parameter,
                        "the name or ARN of a parameter"),
                environment.read("AWS_ENDPOINT_URL_SSM", URI::create, "a URL"));
    }

    private static CacheAddress address(String text) {
        Matcher form = form(text);
        String prefix =
                form.group("scheme")
                        + "://"
                        + Optional.ofNullable(form.group("credentials")).orElse("");
        List<RedisURI> nodes =
                Arrays.stream(form.group("hosts").split(",", -1))
                        .map(host -> RedisURI.create(prefix + checked(host)))
                        .toList();
        if (form.group("cluster") != null) {
            return new CacheAddress.Cluster(nodes);
        }
        if (nodes.size() > 1) {
            throw new IllegalArgumentException("several hosts");
        }
        return new CacheAddress.Node(nodes.getFirst());
    }

    private static Matcher form(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("not a URI");
        }
        return form;
    }

    private static String checked(String host) {
        Matcher matcher = HOST.matcher(host);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a host");
        }
        String port = matcher.group("port");
        if (port != null && (Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535)) {
            throw new IllegalArgumentException("no such port");
        }
        return host;
    }

    private static Optional<String> username(String text) {
        return Optional.ofNullable(form(text).group("user")).filter(name -> !name.isEmpty());
    }

    private static String parameter(String name) {
        if (!name.matches("[A-Za-z0-9_.:/-]{1,2048}")) {
            throw new IllegalArgumentException("not the name of a parameter");
        }
        return name;
    }

    /** The address, and whose nodes ask {@code credentials} who they are. */
    CacheAddress address(RedisCredentialsProvider credentials) {
        return switch (address) {
            case CacheAddress.Node(RedisURI node) -> new CacheAddress.Node(with(node, credentials));
            case CacheAddress.Sentinel(RedisURI sentinels) ->
                    new CacheAddress.Sentinel(with(sentinels, credentials));
            case CacheAddress.Cluster(List<RedisURI> seeds) ->
                    new CacheAddress.Cluster(
                            seeds.stream().map(seed -> with(seed, credentials)).toList());
        };
    }

    private static RedisURI with(RedisURI uri, RedisCredentialsProvider credentials) {
        return RedisURI.builder(uri).withAuthentication(credentials).build();
    }

    TrustRule trust() {
        return durable ? TrustRule.DURABLE : TrustRule.VERIFIED;
    }

    RedisSettings adapter() {
        return RedisSettings.DEFAULT.withAcks(durable ? 0 : acks);
    }
}
