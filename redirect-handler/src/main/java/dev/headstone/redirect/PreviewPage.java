package dev.headstone.redirect;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The page that says where a link leads, and since when. It holds no script and loads nothing, and
 * its way on is the short link, so that whoever follows it from an old copy of the page is still
 * answered by the link as it is then.
 */
final class PreviewPage {
    private static final String STYLE =
            """
            :root{color-scheme:light dark}
            body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:#fff;color:#1b1b23}
            main{max-width:42rem;margin:0 auto;padding:3rem 1.25rem}
            h1{margin:0 0 1.5rem;font-size:1.25rem;overflow-wrap:anywhere}
            dt{font-size:.875rem;color:#5a5a66}
            dd{margin:0 0 1.25rem;overflow-wrap:anywhere}
            code{font:.9375rem/1.5 ui-monospace,monospace}
            a{color:#0b57d0}
            a:focus-visible{outline:3px solid;outline-offset:3px}
            @media (prefers-color-scheme:dark){
            body{background:#16161c;color:#ececf1}
            dt{color:#a9a9b6}
            a{color:#8ab4f8}
            }
            """;

    /** Nothing may be loaded, run, framed or sent; the one style is named by its hash. */
    static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'sha256-"
                            + sha256(STYLE)
                            + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                    "Referrer-Policy",
                    "no-referrer",
                    "X-Robots-Tag",
                    "noindex");

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private PreviewPage() {}

    private static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * The page of {@code link}.
     *
     * @param shortUrl how the link is followed: its short URL, or a path
     */
    static String of(Viewed link, String shortUrl) {
        StringBuilder page = new StringBuilder(2_048);
        String shown = escaped(shortUrl);
        page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width\">\n")
                .append("<meta name=\"robots\" content=\"noindex\">\n<title>Where ")
                .append(shown)
                .append(" leads</title>\n<style>")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<main>\n<h1>")
                .append(shown)
                .append("</h1>\n<dl>\n");
        appendDestination(page, link);
        appendTime(page, "Since", link.since());
        link.expiresAt().ifPresent(end -> appendTime(page, "Until", end));
        return page.append("</dl>\n<p><a rel=\"nofollow noreferrer\" href=\"")
                .append(shown)
                .append("\">Open the link</a></p>\n</main>\n</body>\n</html>\n")
                .toString();
    }

    private static void appendDestination(StringBuilder page, Viewed link) {
        if (link.destination().isEmpty()) {
            append(page, "Leads to", "A destination that is shown to visitors only.");
            return;
        }
        append(page, "Leads to", isolated(link.destination().get()));
        link.host()
                .flatMap(PreviewPage::inItsLetters)
                .ifPresent(
                        letters ->
                                append(
                                        page,
                                        "Host",
                                        isolated(letters)
                                                + " is written "
                                                + isolated(link.host().orElseThrow())));
    }

    /**
     * An internationalised host as people read it. The JDK's own reading (IDNA 2003) of a few
     * letters is not today's: of those names the form that is looked up is shown alone.
     */
    private static Optional<String> inItsLetters(String host) {
        String letters = IDN.toUnicode(host, IDN.ALLOW_UNASSIGNED);
        return letters.equals(host) ? Optional.empty() : Optional.of(letters);
    }

    private static void appendTime(StringBuilder page, String term, Instant time) {
        append(page, term, "<time datetime=\"" + time + "\">" + MINUTE.format(time) + "</time>");
    }

    private static void append(StringBuilder page, String term, String html) {
        page.append("<dt>").append(term).append("</dt>\n<dd>").append(html).append("</dd>\n");
    }

    /** What is read from right to left changes the order of nothing around it. */
    private static String isolated(String text) {
        return "<bdi><code>" + escaped(text) + "</code></bdi>";
    }

    /** As text of an element or a quoted attribute. */
    private static String escaped(String text) {
        StringBuilder html = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default -> html.append(c);
            }
        }
        return html.toString();
    }
}
