package dev.headstone.writer;

import com.google.common.collect.ImmutableSet;
import dev.headstone.writer.Destination.Accepted;
import dev.headstone.writer.Destination.Refused;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which destinations a link may have, and how they are stored. A destination is never
 * fetched and its name never resolved: what counts is what a browser will make of the text.
 *
 * <p>Immutable, so any thread may use it.
 */
public final class DestinationPolicy {
    /** The longest destination, in bytes after encoding. */
    public static final int MAX_BYTES = 2_048;

    private static final Pattern PARTS =
            Pattern.compile(
                    "(?<scheme>[Hh][Tt][Tt][Pp][Ss]?://)(?<authority>[^/?#]*)"
                            + "(?<path>[^?#]*)(?<query>\\?[^#]*)?(?<fragment>#.*)?");
    private static final Pattern AUTHORITY =
            Pattern.compile("(?<host>\\[[^]]*]|[^\\[:]*)(?<port>:.*)?");

    /** Leading zeros are allowed: RFC 3986 does, and browsers read them as decimal. */
    private static final Pattern PORT = Pattern.compile(":0*(?<number>[1-9][0-9]{0,4})");

    private static final int MAX_PORT = 65_535;

    private final ImmutableSet<String> ourHosts;

    /**
     * @param ourHosts the hosts under which we answer ourselves: names or IP addresses (IPv6 in
     *     brackets), without port, in any case; a link to one of them could lead in a circle
     * @throws IllegalArgumentException naming the entry that is no host
     */
    public DestinationPolicy(Collection<String> ourHosts) {
        this.ourHosts =
                ourHosts.stream()
                        .map(DestinationPolicy::canonical)
                        .collect(ImmutableSet.toImmutableSet());
    }

    private static String canonical(String host) {
        return switch (Host.read(host)) {
            case Host.Known known -> known.canonical();
            case Host.Unreadable(String why) ->
                    throw new IllegalArgumentException("host '%s': %s".formatted(host, why));
        };
    }

    /** Decides about a destination as it was asked for. Total: it answers whatever the text is. */
    public Destination judge(String longUrl) {
        Optional<String> fault = UrlText.faultAnywhere(longUrl);
        if (fault.isPresent()) {
            return new Refused(fault.get());
        }
        Matcher parts = PARTS.matcher(longUrl);
        return parts.matches()
                ? judge(parts)
                : new Refused(
                        "A destination must be an absolute URL that begins with http:// or https://.");
    }

    private Destination judge(Matcher parts) {
        String authority = parts.group("authority");
        if (authority.indexOf('@') >= 0) {
            return new Refused(
                    "A destination may not have a user name or password before its host.");
        }
        Matcher hostAndPort = AUTHORITY.matcher(authority);
        if (!hostAndPort.matches()) {
            return new Refused(
                    "Brackets must enclose an IPv6 address, and only a port may follow them.");
        }
        @Nullable String port = hostAndPort.group("port");
        if (port != null && !isPort(port)) {
            return new Refused("A port must be a decimal number from 1 to 65535.");
        }
        return switch (Host.read(hostAndPort.group("host"))) {
            case Host.Unreadable(String why) -> new Refused(why);
            case Host.Known host ->
                    faultOf(host)
                            .<Destination>map(Refused::new)
                            .orElseGet(() -> assemble(parts, host, port == null ? "" : port));
        };
    }

    private static boolean isPort(String text) {
        Matcher port = PORT.matcher(text);
        return port.matches() && Integer.parseInt(port.group("number")) <= MAX_PORT;
    }

    /** Why no link may lead to a host, whatever stands around it in the URL. */
    Optional<String> faultOf(Host.Known host) {
        if (ourHosts.contains(host.canonical())) {
            return Optional.of("A destination may not lead back to this service.");
        }
        return switch (host) {
            case Host.Name name when name.isLocalhost() ->
                    Optional.of("A destination may not be on localhost.");
            case Host.Address address when !address.globallyRoutable() ->
                    Optional.of(
                            "The host is an IP address that is not globally routable (private,"
                                    + " local, reserved, or another address in disguise).");
            case Host.Name _, Host.Address _ -> Optional.empty();
        };
    }

    private static Destination assemble(Matcher parts, Host.Known host, String port) {
        String path = parts.group("path");
        String query = Optional.ofNullable(parts.group("query")).orElse("");
        String fragment = Optional.ofNullable(parts.group("fragment")).orElse("");
        Optional<String> fault =
                UrlText.faultOfPath(path)
                        .or(() -> UrlText.faultOfQuery(query))
                        .or(() -> UrlText.faultOfFragment(fragment));
        if (fault.isPresent()) {
            return new Refused(fault.get());
        }
        String tail = UrlText.encode(path + query + fragment);
        String url = parts.group("scheme") + host.spelling() + port + tail;
        if (url.length() > MAX_BYTES) {
            return new Refused(
                    "A destination must have at most 2048 bytes, percent escapes counted.");
        }
        return UrlText.faultOfDecoded(tail)
                .<Destination>map(Refused::new)
                .orElseGet(() -> new Accepted(url, host.canonical()));
    }
}
