package dev.headstone.writer;

import com.google.common.net.InternetDomainName;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts that a takedown by host is about.
 *
 * @param host in the form of {@link Destination.Accepted#host()}
 * @param withSubdomains whether names below it are meant too; only of a name
 */
public record HostPattern(String host, boolean withSubdomains) {
    /** The field of the request. */
    static final String FIELD = "host";

    private static final String SUBDOMAINS = "*.";

    /** A host by itself, with a port, or in the middle of a pasted URL. */
    private static final Pattern PASTED =
            Pattern.compile(
                    "(?:[Hh][Tt][Tt][Pp][Ss]?://)?(?<host>\\[[^]]*]|[^/?#:]*)(?::[0-9]+)?(?:[/?#].*)?");

    private static final Pattern IPV6_WITHOUT_BRACKETS =
            Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    /**
     * Reads what somebody wrote or pasted: a name, with {@code *.} before it to mean those below it
     * too, a public IP address, or a URL with one of these. Case, trailing dot, the form of an IDN
     * and the spelling of an address do not matter.
     *
     * <p>Valid or rejected, never too large. Rejected are the hosts that no link can lead to, and
     * public suffixes, under which hosts have nothing to do with each other.
     */
    static Reading<HostPattern> read(String text, DestinationPolicy destinations) {
        String stripped = text.strip();
        Matcher pasted =
                PASTED.matcher(
                        IPV6_WITHOUT_BRACKETS.matcher(stripped).matches()
                                ? "[" + stripped + "]"
                                : stripped);
        if (!pasted.matches()) {
            return rejected("A host must be a name, a public IP address, or a URL with one.");
        }
        String host = pasted.group("host");
        return host.startsWith(SUBDOMAINS)
                ? read(Host.read(host.substring(SUBDOMAINS.length())), true, destinations)
                : read(Host.read(host), false, destinations);
    }

    private static Reading<HostPattern> read(
            Host host, boolean withSubdomains, DestinationPolicy destinations) {
        return switch (host) {
            case Host.Unreadable(String why) -> rejected(why);
            case Host.Address _ when withSubdomains -> rejected("An IP address has no subdomains.");
            case Host.Name name when isPublicSuffix(name.canonical(), withSubdomains) ->
                    rejected("A public suffix is too much: its subdomains belong to many.");
            case Host.Known known ->
                    destinations
                            .faultOf(known)
                            .map(HostPattern::rejected)
                            .orElseGet(
                                    () ->
                                            new Reading.Valid<>(
                                                    new HostPattern(
                                                            known.canonical(), withSubdomains)));
        };
    }

    /** By the list's own default rule a top-level domain that it does not name is one as well. */
    private static boolean isPublicSuffix(String name, boolean withSubdomains) {
        boolean topLevel = name.indexOf('.') < 0;
        return (withSubdomains && topLevel)
                || (InternetDomainName.isValid(name)
                        && InternetDomainName.from(name).isPublicSuffix());
    }

    private static Reading<HostPattern> rejected(String why) {
        return new Reading.Rejected<>(FIELD, why);
    }

    /** Whether a link is meant, by its host in the form of {@link Destination.Accepted#host()}. */
    public boolean matches(String linkHost) {
        return linkHost.equals(host) || (withSubdomains && linkHost.endsWith("." + host));
    }
}
