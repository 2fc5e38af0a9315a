package dev.headstone.writer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which characters may stand where in a URL (RFC 3986, section 3), and percent-encoding. */
final class UrlText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** A surrogate is only matched where it stands alone: the pattern reads whole code points. */
    private static final Pattern NEVER =
            Pattern.compile("[\\x{0}-\\x{1F}\\x{7F}-\\x{9F}\\x{2028}\\x{2029}\\\\\\p{Cs}]");

    private static final Pattern NOT_IN_PATH =
            Pattern.compile("[\\p{ASCII}&&[^A-Za-z0-9._~!$&'()*+,;=:@/%-]]|%(?![0-9A-Fa-f]{2})");
    private static final Pattern NOT_IN_QUERY_OR_FRAGMENT =
            Pattern.compile("[\\p{ASCII}&&[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]]|%(?![0-9A-Fa-f]{2})");

    /**
     * Bytes that a server or a log may read as the end of a line, or as another control character:
     * C0 and DEL; C1, U+2028 and U+2029 as UTF-8; and C0 and DEL in the overlong forms that lenient
     * decoders take. Bytes 80 to 9F by themselves are allowed, being part of most UTF-8 sequences.
     */
    private static final Pattern CONTROL_BYTES =
            Pattern.compile(
                    "[\\x00-\\x1F\\x7F]"
                            + "|\\xC2[\\x80-\\x9F]|\\xE2\\x80[\\xA8\\xA9]"
                            + "|\\xC0[\\x80-\\x9F]|\\xC1\\xBF"
                            + "|\\xE0\\x80[\\x80-\\x9F]|\\xE0\\x81\\xBF"
                            + "|\\xF0\\x80\\x80[\\x80-\\x9F]|\\xF0\\x80\\x81\\xBF");

    private UrlText() {}

    /** What may stand nowhere in a destination, raw. */
    static Optional<String> faultAnywhere(String url) {
        return NEVER.matcher(url).find()
                ? Optional.of(
                        "A destination may not contain a control character, line separator, backslash or"
                                + " unpaired surrogate.")
                : Optional.empty();
    }

    static Optional<String> faultOfPath(String path) {
        return fault(NOT_IN_PATH, path, "path");
    }

    /**
     * @param query with its question mark, or empty
     */
    static Optional<String> faultOfQuery(String query) {
        return fault(NOT_IN_QUERY_OR_FRAGMENT, query, "query");
    }

    /**
     * @param fragment with its number sign, or empty
     */
    static Optional<String> faultOfFragment(String fragment) {
        return fault(
                NOT_IN_QUERY_OR_FRAGMENT,
                fragment.isEmpty() ? fragment : fragment.substring(1),
                "fragment");
    }

    private static Optional<String> fault(Pattern wrong, String text, String part) {
        return wrong.matcher(text).find()
                ? Optional.of(
                        ("The %s has a character that must be percent-encoded, or a '%%' without two"
                                        + " hexadecimal digits.")
                                .formatted(part))
                : Optional.empty();
    }

    /** Percent-encodes what is not ASCII, as UTF-8, and changes nothing else. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte unit : text.getBytes(UTF_8)) {
            if (unit >= 0) {
                encoded.append((char) unit);
            } else {
                encoded.append('%').append(HEX.toHexDigits(unit));
            }
        }
        return encoded.toString();
    }

    /**
     * What may not appear once percent escapes are undone.
     *
     * @param encoded ASCII in which each percent sign is followed by two hexadecimal digits
     */
    static Optional<String> faultOfDecoded(String encoded) {
        return CONTROL_BYTES.matcher(decode(encoded)).find()
                ? Optional.of(
                        "A destination may not contain a control character or line separator, not even"
                                + " percent-encoded.")
                : Optional.empty();
    }

    /** Undoes percent escapes, giving each byte as the character of that number. */
    private static String decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        int at = 0;
        while (at < encoded.length()) {
            if (encoded.charAt(at) == '%') {
                bytes.write(HexFormat.fromHexDigits(encoded, at + 1, at + 3));
                at += 3;
            } else {
                bytes.write(encoded.charAt(at));
                at++;
            }
        }
        return bytes.toString(ISO_8859_1);
    }
}
