package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/** Text of somebody else's, made safe to show on a terminal. */
final class Plain {
    /** Controls, invisible and bidirectional formats, halves of pairs, separators of lines. */
    private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private Plain() {}

    static String text(String untrusted) {
        return UNSAFE.matcher(untrusted).replaceAll("\uFFFD");
    }

    /** The value as text; a dash for none. */
    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "-";
        }
        return text(value.isValueNode() ? value.asText() : value.toString());
    }
}
