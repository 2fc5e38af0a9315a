package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.value.ValidationException;
import java.util.regex.Pattern;

/** A record's number within its stream, as clients see it: 21 digits, in order as text too. */
final class SequenceNumber {
    private static final Pattern FORM = Pattern.compile("1\\d{20}");

    private SequenceNumber() {}

    static String text(long number) {
        String digits = Long.toString(number);
        return "1" + "0".repeat(20 - digits.length()) + digits;
    }

    static long parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new ValidationException("Invalid SequenceNumber");
        }
        try {
            return Long.parseLong(text.substring(1));
        } catch (NumberFormatException _) {
            throw new ValidationException("Invalid SequenceNumber");
        }
    }
}
