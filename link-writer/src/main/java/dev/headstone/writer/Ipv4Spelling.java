package dev.headstone.writer;

import com.google.common.base.Splitter;
import com.google.common.net.InetAddresses;
import java.net.Inet4Address;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The spellings that browsers take for an IPv4 address (WHATWG URL, "IPv4 parser"): one to four
 * numbers, decimal, octal or hexadecimal, the last of which fills what is left of the four bytes.
 *
 * <p>Names are given in lower case and without trailing dot.
 */
final class Ipv4Spelling {
    private static final Pattern NUMBER_AT_END =
            Pattern.compile("(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)");

    private static final Pattern HEXADECIMAL = Pattern.compile("0x0*([0-9a-f]{0,8})");
    private static final Pattern OCTAL = Pattern.compile("0+([0-7]{0,11})");
    private static final Pattern DECIMAL = Pattern.compile("([1-9][0-9]{0,9})");

    /** Larger than any address. */
    private static final long NONE = Long.MAX_VALUE;

    private Ipv4Spelling() {}

    /** Whether a browser takes the name for an IPv4 address, and refuses it if it is none. */
    static boolean endsInNumber(String name) {
        return NUMBER_AT_END.matcher(name).matches();
    }

    /** The address so spelled, or empty if there is none. */
    static Optional<Inet4Address> read(String name) {
        List<Long> numbers =
                Splitter.on('.').splitToStream(name).map(Ipv4Spelling::number).toList();
        List<Long> leading = numbers.subList(0, numbers.size() - 1);
        int bitsLeft = Integer.SIZE - Byte.SIZE * leading.size();
        if (bitsLeft <= 0
                || leading.stream().anyMatch(number -> number > 0xFF)
                || numbers.getLast() >= 1L << bitsLeft) {
            return Optional.empty();
        }
        long address = 0;
        for (long number : leading) {
            address = (address << Byte.SIZE) | number;
        }
        address = (address << bitsLeft) | numbers.getLast();
        return Optional.of(InetAddresses.fromInteger((int) address));
    }

    private static long number(String text) {
        return digits(HEXADECIMAL, text, 16)
                .or(() -> digits(OCTAL, text, 8))
                .or(() -> digits(DECIMAL, text, 10))
                .orElse(NONE);
    }

    private static Optional<Long> digits(Pattern form, String text, int radix) {
        Matcher number = form.matcher(text);
        if (!number.matches()) {
            return Optional.empty();
        }
        String digits = number.group(1);
        return Optional.of(digits.isEmpty() ? 0L : Long.parseLong(digits, radix));
    }
}
