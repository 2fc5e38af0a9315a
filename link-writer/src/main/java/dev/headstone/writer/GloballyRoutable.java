package dev.headstone.writer;

import com.google.common.collect.ImmutableList;
import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.stream.Stream;

/**
 * Which IP addresses can be reached from anywhere, by the special-purpose address registries of the
 * IANA (RFC 6890 and its successors). Where these make exceptions for single anycast addresses of
 * protocols, they count as not reachable: nobody publishes a page there.
 */
final class GloballyRoutable {
    private static final ImmutableList<Range> NOT_IN_IPV4 =
            ranges(
                    "0.0.0.0/8", // this network, and unspecified
                    "10.0.0.0/8", // private
                    "100.64.0.0/10", // shared by carriers; some clouds keep metadata there
                    "127.0.0.0/8", // loopback
                    "168.63.129.16/32", // public by number, but Azure's metadata and agent host
                    "169.254.0.0/16", // link-local, and most clouds' metadata
                    "172.16.0.0/12", // private
                    "192.0.0.0/24", // protocol assignments; Oracle's metadata
                    "192.0.2.0/24", // documentation
                    "192.88.99.0/24", // the relays of 6to4, given up
                    "192.168.0.0/16", // private
                    "198.18.0.0/15", // benchmarking
                    "198.51.100.0/24", // documentation
                    "203.0.113.0/24", // documentation
                    "224.0.0.0/4", // multicast
                    "240.0.0.0/4"); // reserved, and broadcast

    /**
     * Of IPv6 only this much is given out as global unicast. Outside lie loopback, unspecified,
     * IPv4-mapped and -compatible, NAT64, discard, segment routing, unique local, link-local and
     * multicast.
     */
    private static final Range IPV6 = Range.of("2000::/3");

    private static final ImmutableList<Range> NOT_IN_IPV6 =
            ranges(
                    "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID
                    "2001:db8::/32", // documentation
                    "2002::/16", // 6to4: an IPv4 address in disguise
                    "3fff::/20"); // documentation

    private GloballyRoutable() {}

    static boolean includes(InetAddress address) {
        return address instanceof Inet4Address
                ? isInNone(NOT_IN_IPV4, address)
                : IPV6.contains(address) && isInNone(NOT_IN_IPV6, address);
    }

    private static boolean isInNone(ImmutableList<Range> ranges, InetAddress address) {
        return ranges.stream().noneMatch(range -> range.contains(address));
    }

    private static ImmutableList<Range> ranges(String... texts) {
        return Stream.of(texts).map(Range::of).collect(ImmutableList.toImmutableList());
    }

    /**
     * Addresses that begin with the same bits.
     *
     * @param prefix those bits, as a number
     * @param rest how many bits follow
     */
    private record Range(BigInteger prefix, int rest) {
        /** Reads {@code address/bits}; the address is written as one of its family. */
        static Range of(String text) {
            int slash = text.indexOf('/');
            byte[] network = InetAddresses.forString(text.substring(0, slash)).getAddress();
            int rest = network.length * Byte.SIZE - Integer.parseInt(text.substring(slash + 1));
            return new Range(new BigInteger(1, network).shiftRight(rest), rest);
        }

        /** Whether an address, of the same family, is one of these. */
        boolean contains(InetAddress address) {
            return new BigInteger(1, address.getAddress()).shiftRight(rest).equals(prefix);
        }
    }
}
