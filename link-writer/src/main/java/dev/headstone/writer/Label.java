package dev.headstone.writer;

import java.util.regex.Pattern;

/** The form that an owner and a tag have. */
final class Label {
    static final String RULE =
            "An owner or tag must be 1 to 64 characters of A-Z, a-z, 0-9 and ._:@-.";

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:@-]{1,64}");

    private Label() {}

    static boolean hasForm(String text) {
        return FORM.matcher(text).matches();
    }
}
