package dev.headstone.writer;

import com.google.common.base.Ascii;
import com.google.common.net.InetAddresses;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Pattern;

/** The host of a URL, read as a browser reads it (WHATWG URL, "host parser"), never resolved. */
sealed interface Host {
    /** Characters of an IPv6 address; {@link InetAddresses} alone would take more, a zone say. */
    Pattern IN_BRACKETS = Pattern.compile("\\[[0-9A-Fa-f:.]*]");

    /** A host that a browser could go to. */
    sealed interface Known extends Host {
        /** How the host stands in the URL: ASCII, otherwise as it was given. */
        String spelling();

        /** What two spellings of the same host have in common; see {@link Destination.Accepted}. */
        String canonical();
    }

    /** A name of the DNS, or one that looks like it. */
    record Name(String spelling, String canonical) implements Known {
        boolean isLocalhost() {
            return canonical.equals("localhost") || canonical.endsWith(".localhost");
        }
    }

    /** An IP address, in whatever spelling a browser takes for one. */
    record Address(String spelling, String canonical, boolean globallyRoutable) implements Known {}

    /**
     * No host at all.
     *
     * @param why the rule that was broken, a sentence for a person
     */
    record Unreadable(String why) implements Host {}

    /**
     * Reads the host part of a URL: a name, an IPv4 address in any spelling, or an IPv6 address in
     * brackets.
     */
    static Host read(String text) {
        if (text.startsWith("[")) {
            return readIpv6(text);
        }
        if (text.indexOf('%') >= 0) {
            return new Unreadable("A host must be written without percent escapes.");
        }
        if (text.length() > DestinationPolicy.MAX_BYTES) { // bounds the work of the conversion
            return new Unreadable("The host name is too long.");
        }
        return DomainNames.toAscii(text)
                .map(Host::readAscii)
                .orElseGet(
                        () ->
                                new Unreadable(
                                        "The host is not a valid internationalized domain name."));
    }

    private static Host readIpv6(String text) {
        if (!IN_BRACKETS.matcher(text).matches()) {
            return new Unreadable("Brackets must enclose an IPv6 address without a zone.");
        }
        String inner = text.substring(1, text.length() - 1);
        if (!InetAddresses.isInetAddress(inner)) {
            return new Unreadable("The host is not a valid IPv6 address.");
        }
        InetAddress address = InetAddresses.forString(inner);
        // An IPv4-mapped address becomes the IPv4 address inside, which it must not pass for.
        boolean ipv6 = address instanceof Inet6Address;
        return new Address(
                text,
                InetAddresses.toAddrString(address),
                ipv6 && GloballyRoutable.includes(address));
    }

    private static Host readAscii(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (name.isEmpty()) {
            return new Unreadable("A destination must name a host.");
        }
        if (!DomainNames.isWellFormed(name)) {
            return new Unreadable(
                    "A host name must have labels of 1 to 63 letters, digits, hyphens or underscores,"
                            + " parted by dots, and at most 253 characters.");
        }
        String canonical = Ascii.toLowerCase(name);
        if (!Ipv4Spelling.endsInNumber(canonical)) {
            return new Name(text, canonical);
        }
        return Ipv4Spelling.read(canonical)
                .<Host>map(
                        address ->
                                new Address(
                                        text,
                                        InetAddresses.toAddrString(address),
                                        GloballyRoutable.includes(address)))
                .orElseGet(() -> new Unreadable("The host is not a valid IPv4 address."));
    }
}
