package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import dev.headstone.redirect.RedirectAnswer.Body;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes what live links show of themselves. Knows nothing of whether a link may be shown: whoever
 * asks has decided that in the same request. Safe for use by several threads.
 */
public final class LinkViews {
    private final Supplier<Optional<URI>> baseUrl;

    /**
     * @param baseUrl what a code is appended to for its short URL, with a slash in between; while
     *     nobody knows it there are no QR codes, and a preview names the path alone
     */
    public LinkViews(Supplier<Optional<URI>> baseUrl) {
        this.baseUrl = baseUrl;
    }

    /** Whether there is such a view at all. */
    boolean have(View view) {
        return !view.needsShortUrl() || baseUrl.get().isPresent();
    }

    /** The {@code view} of {@code link}. */
    Body of(View view, Viewed link) {
        return Body.of(view, made(view, link));
    }

    private byte[] made(View view, Viewed link) {
        String url = shortUrl(link.code());
        return switch (view) {
            case PREVIEW -> PreviewPage.of(link, url).getBytes(StandardCharsets.UTF_8);
            case QR_SVG -> QrCode.of(url).svg();
            case QR_PNG -> QrCode.of(url).png();
        };
    }

    private String shortUrl(ShortCode code) {
        String base = baseUrl.get().map(URI::toString).orElse("");
        return (base.endsWith("/") ? base : base + "/") + code.value();
    }
}
