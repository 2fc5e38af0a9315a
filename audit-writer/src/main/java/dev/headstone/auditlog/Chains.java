package dev.headstone.auditlog;

import dev.headstone.audit.AuditEnvelope;
import dev.headstone.link.ShortCode;
import java.util.regex.Pattern;

/** The names of chains: a code, or for events about no one link a colon and what they are about. */
final class Chains {
    /** No code holds a colon, so no link can share the chain of, say, {@code :host}. */
    private static final Pattern WITHOUT_LINK = Pattern.compile(":[a-z]{1,32}");

    private Chains() {}

    static String of(AuditEnvelope event) {
        return event.shortCode()
                .map(ShortCode::value)
                .orElseGet(() -> ":" + event.type().substring(0, event.type().indexOf('.')));
    }

    static boolean isName(String text) {
        return ShortCode.hasForm(text) || WITHOUT_LINK.matcher(text).matches();
    }
}
