package dev.headstone.writer;

import com.google.common.base.CharMatcher;
import com.ibm.icu.text.IDNA;
import java.util.Optional;
import java.util.regex.Pattern;

/** The form of domain names, and their conversion to ASCII (UTS 46). */
final class DomainNames {
    /** RFC 1035, section 2.3.4: 255 octets on the wire, less the first length and the root. */
    private static final int MAX_LENGTH = 253;

    /** RFC 1123 knows no underscores and no hyphens at the edge, but names in use have both. */
    private static final Pattern FORM =
            Pattern.compile("[A-Za-z0-9_-]{1,63}(?:\\.[A-Za-z0-9_-]{1,63})*+");

    private static final Pattern HAS_A_LABEL = Pattern.compile("(?:^|\\.)[Xx][Nn]--");

    private static final IDNA UTS46 =
            IDNA.getUTS46Instance(
                    IDNA.NONTRANSITIONAL_TO_ASCII
                            | IDNA.USE_STD3_RULES
                            | IDNA.CHECK_BIDI
                            | IDNA.CHECK_CONTEXTJ
                            | IDNA.CHECK_CONTEXTO);

    private DomainNames() {}

    /**
     * @param name without trailing dot
     */
    static boolean isWellFormed(String name) {
        return name.length() <= MAX_LENGTH && FORM.matcher(name).matches();
    }

    /** Leaves an ASCII name as it is; an IDN becomes its A-label. Empty if the IDN is not valid. */
    static Optional<String> toAscii(String name) {
        if (!CharMatcher.ascii().matchesAllOf(name)) {
            return convert(name);
        }
        // An A-label that stands for nothing is refused by browsers, so it leads nowhere.
        boolean plain = !HAS_A_LABEL.matcher(name).find();
        return plain || convert(name).isPresent() ? Optional.of(name) : Optional.empty();
    }

    private static Optional<String> convert(String name) {
        StringBuilder ascii = new StringBuilder();
        IDNA.Info info = new IDNA.Info();
        UTS46.nameToASCII(name, ascii, info);
        return info.hasErrors() ? Optional.empty() : Optional.of(ascii.toString());
    }
}
