package dev.headstone.standalone.options;

import io.lettuce.core.RedisURI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code --redis}. Every fault is an {@link IllegalArgumentException} without the value.
 *
 * <p>Lettuce's reader takes {@code redis://h:port} for host {@code h} and quotes what it refuses,
 * so that the form is checked before it reads.
 */
final class RedisTargets {
    /** What {@code --redis} must be, for the person who typed something else. */
    static final String FORMS =
            "embedded, redis://HOST[:PORT], rediss://HOST[:PORT],"
                    + " redis-sentinel://HOST[:PORT]#PRIMARY or redis-cluster://HOST[:PORT],HOST[:PORT]";

    private static final Pattern URI =
            Pattern.compile(
                    "(?<scheme>[A-Za-z-]+)://(?<credentials>[^/?#]*@)?(?<hosts>[^/?#@]*)"
                            + "(?<rest>(/[0-9]{0,5})?(\\?[^#]*)?(#.*)?)");
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:(?<port>[0-9]{1,5}))?");

    private RedisTargets() {}

    static RedisTarget read(String text) {
        if (text.equals("embedded")) {
            return new RedisTarget.Embedded();
        }
        Matcher uri = URI.matcher(text);
        if (!uri.matches()) {
            throw new IllegalArgumentException("not a URI");
        }
        List<String> hosts = hosts(uri.group("hosts"));
        return switch (uri.group("scheme").toLowerCase(Locale.ROOT)) {
            case "redis" -> new RedisTarget.Node(one("redis", uri, hosts));
            case "rediss" -> new RedisTarget.Node(one("rediss", uri, hosts));
            case "redis-sentinel" -> new RedisTarget.Sentinel(sentinel(uri));
            case "redis-cluster" ->
                    new RedisTarget.Cluster(
                            hosts.stream().map(host -> uri("redis", uri, host)).toList());
            default -> throw new IllegalArgumentException("unknown scheme");
        };
    }

    private static RedisURI one(String scheme, Matcher uri, List<String> hosts) {
        if (hosts.size() != 1) {
            throw new IllegalArgumentException("several hosts");
        }
        return uri(scheme, uri, hosts.getFirst());
    }

    private static RedisURI sentinel(Matcher uri) {
        if (!uri.group("rest").matches(".*#.+")) {
            throw new IllegalArgumentException("no name of the primary");
        }
        return uri("redis-sentinel", uri, uri.group("hosts"));
    }

    private static RedisURI uri(String scheme, Matcher uri, String hosts) {
        String credentials = uri.group("credentials") == null ? "" : uri.group("credentials");
        return RedisURI.create(scheme + "://" + credentials + hosts + uri.group("rest"));
    }

    private static List<String> hosts(String text) {
        List<String> hosts = Arrays.asList(text.split(",", -1));
        for (String host : hosts) {
            Matcher matcher = HOST.matcher(host);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("not a host");
            }
            String port = matcher.group("port");
            if (port != null && (Integer.parseInt(port) < 1 || Integer.parseInt(port) > 65_535)) {
                throw new IllegalArgumentException("no such port");
            }
        }
        return hosts;
    }
}
