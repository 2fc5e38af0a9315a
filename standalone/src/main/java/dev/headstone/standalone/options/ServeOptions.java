package dev.headstone.standalone.options;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that {@code serve} may be told, checked.
 *
 * @param redirects where the redirect listener binds; port 0 takes a free one
 * @param control where the control listener binds; port 0 takes a free one
 * @param data the folder for everything that is kept
 * @param inMemory whether table and queue end with the process
 * @param baseUrl the prefix of short URLs, without a slash at its end; empty when it follows the
 *     port, see {@link #baseUrl(int)}
 * @param table where the table is
 * @param queue where the queue is
 * @param redis where the cache is
 * @param createTables whether missing tables and streams are created
 * @param createQueues whether missing queues are created
 * @param redisAcks replicas that must acknowledge a confirmed write
 * @param redisDurable whether the store persists a write before it answers
 * @param countVisits whether visits are counted beside the redirects
 * @param goneStatus the HTTP status of taken-down links
 * @param names what tables and queues are called
 */
public record ServeOptions(
        InetSocketAddress redirects,
        InetSocketAddress control,
        Path data,
        boolean inMemory,
        Optional<URI> baseUrl,
        Backend table,
        Backend queue,
        RedisTarget redis,
        boolean createTables,
        boolean createQueues,
        int redisAcks,
        boolean redisDurable,
        boolean countVisits,
        int goneStatus,
        ResourceNames names) {
    /** More replicas than anybody runs behind one primary. */
    private static final int MOST_ACKS = 16;

    /**
     * Reads the settings: an option before its variable, a variable before the default.
     *
     * @param options the options that were typed
     * @param environment the environment variables
     * @throws Misuse naming the option or the variable that is malformed, or what contradicts what
     */
    public static ServeOptions from(Map<Setting, String> options, Map<String, String> environment) {
        Settings settings = new Settings(options, environment);
        Backend table = backend(settings.get(Setting.TABLE));
        Backend queue = backend(settings.get(Setting.QUEUE));
        Optional<Boolean> create = settings.given(Setting.CREATE_RESOURCES).map(Given::asSwitch);
        ServeOptions read =
                new ServeOptions(
                        address(settings.get(Setting.BIND), settings.get(Setting.PORT)),
                        address(
                                settings.get(Setting.CONTROL_BIND),
                                settings.get(Setting.CONTROL_PORT)),
                        folder(settings.get(Setting.DATA)),
                        settings.get(Setting.IN_MEMORY).asSwitch(),
                        settings.given(Setting.BASE_URL).map(ServeOptions::prefix),
                        table,
                        queue,
                        settings.get(Setting.REDIS).as(RedisTargets::read, RedisTargets.FORMS),
                        create.orElse(table == Backend.EMBEDDED),
                        create.orElse(queue == Backend.EMBEDDED),
                        settings.get(Setting.REDIS_ACKS).asNumber(0, MOST_ACKS),
                        settings.get(Setting.REDIS_DURABLE).asSwitch(),
                        settings.get(Setting.COUNT_VISITS).asSwitch(),
                        goneStatus(settings.get(Setting.GONE_STATUS)),
                        ResourceNames.from(settings));
        read.requireTwoPorts(settings);
        read.requireConfirmableWrites(settings);
        return read;
    }

    /**
     * The prefix of short URLs, without a slash at its end.
     *
     * @param port the port that the redirect listener got
     */
    public URI baseUrl(int port) {
        return baseUrl.orElseGet(() -> URI.create("http://127.0.0.1:" + port));
    }

    private void requireTwoPorts(Settings settings) {
        if (redirects.getPort() != 0 && redirects.equals(control)) {
            Given second =
                    settings.given(Setting.CONTROL_PORT)
                            .or(() -> settings.given(Setting.PORT))
                            .orElse(settings.get(Setting.CONTROL_PORT));
            throw new Misuse(
                    "%s: redirects and control cannot share port %d"
                            .formatted(second.where(), redirects.getPort()));
        }
    }

    private void requireConfirmableWrites(Settings settings) {
        String where = settings.get(Setting.REDIS).where();
        switch (redis) {
            case RedisTarget.Embedded _ -> {
                if (redisAcks > 0) {
                    throw new Misuse(
                            settings.get(Setting.REDIS_ACKS).where()
                                    + " must be 0 with the embedded Redis, which has no replicas");
                }
            }
            case RedisTarget.Node _ -> {}
            case RedisTarget.Sentinel _ -> requireAcks(where, "a sentinel");
            case RedisTarget.Cluster _ -> requireAcks(where, "a cluster");
        }
    }

    /** PROTOCOL.md, confirmed writes: a failover would undo a takedown that had been reported. */
    private void requireAcks(String where, String what) {
        if (redisAcks == 0 && !redisDurable) {
            throw new Misuse(
                    "%s: %s may promote a replica that never saw a takedown; say how many replicas must"
                                    .formatted(where, what)
                            + " acknowledge (--redis-acks N) or that the store persists before it"
                            + " answers (--redis-durable)");
        }
    }

    private static InetSocketAddress address(Given bind, Given port) {
        int number = port.asNumber(0, 65_535);
        if (!bind.text().matches("[A-Za-z0-9._:%\\[\\]-]+")) {
            throw bind.refused("an address of this machine");
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(bind.text()), number);
        } catch (UnknownHostException e) {
            throw bind.refused("an address of this machine");
        }
    }

    static Path folder(Given data) {
        if (data.text().isBlank()) {
            throw data.refused("a folder");
        }
        try {
            return Path.of(data.text());
        } catch (InvalidPathException e) {
            throw data.refused("a folder");
        }
    }

    private static Backend backend(Given given) {
        return switch (given.text()) {
            case "embedded" -> Backend.EMBEDDED;
            case "aws" -> Backend.AWS;
            default -> throw given.refused("embedded or aws");
        };
    }

    private static int goneStatus(Given given) {
        return switch (given.text()) {
            case "404" -> 404;
            case "410" -> 410;
            case "451" -> 451;
            default -> throw given.refused("404, 410 or 451");
        };
    }

    private static URI prefix(Given given) {
        String mustBe = "an http or https URL with a host, without user info, query and fragment";
        URI uri;
        try {
            uri = new URI(given.text());
        } catch (URISyntaxException e) {
            throw given.refused(mustBe);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean fits =
                (scheme.equals("http") || scheme.equals("https"))
                        && uri.getHost() != null
                        && uri.getRawUserInfo() == null
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null
                        && uri.getPort() != 0
                        && uri.getPort() <= 65_535
                        && given.text().chars().allMatch(c -> c < 0x80);
        if (!fits) {
            throw given.refused(mustBe);
        }
        return URI.create(given.text().replaceAll("/+$", ""));
    }
}
