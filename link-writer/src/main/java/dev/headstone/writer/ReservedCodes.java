package dev.headstone.writer;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableSet;
import dev.headstone.link.ShortCode;

/**
 * Codes that are no link's. On the redirect port or the control port something of ours answers
 * under them, or under them with an ending ({@code openapi.yaml}), or people would take what
 * answers there for ours. Whoever puts both ports behind one host name must not find a link in the
 * way. A code has 3 characters at least, so {@code v1} needs no entry.
 */
final class ReservedCodes {
    private static final ImmutableSet<String> RESERVED =
            ImmutableSet.of(
                    // routed, as they are or with an ending
                    "dashboard",
                    "favicon",
                    "healthz",
                    "metrics",
                    "openapi",
                    "readyz",
                    "robots",
                    // the usual places of assets, and what crawlers ask for unasked
                    "assets",
                    "sitemap",
                    "static",
                    // what people would take for the service itself
                    "admin",
                    "api",
                    "headstone");

    private ReservedCodes() {}

    /** Whether a code is reserved, in any case. Codes to be generated are asked about as well. */
    static boolean contains(ShortCode code) {
        return RESERVED.contains(Ascii.toLowerCase(code.value()));
    }
}
