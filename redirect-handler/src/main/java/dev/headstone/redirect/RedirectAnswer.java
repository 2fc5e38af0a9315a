package dev.headstone.redirect;

import dev.headstone.freshness.Freshness;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;

/**
 * What a request gets, whoever carries it. Immutable. A HEAD gets the same answer; its body is not
 * sent.
 *
 * @param location the destination, byte for byte, of a 302 and of nothing else
 * @param cacheControl who may keep it and for how long
 * @param cacheStatus what our cache contributed, RFC 9211
 * @param retryAfter when to come again, seconds
 * @param storableUntil after this instant it may leave only as {@code no-store}
 */
public record RedirectAnswer(
        int status,
        Optional<String> location,
        String cacheControl,
        String cacheStatus,
        OptionalInt retryAfter,
        Body body,
        Instant storableUntil) {

    /** What stands in an answer, and what it says of itself. Immutable. */
    public static final class Body {
        private static final Body NONE = new Body("", new byte[0], true, Map.of());

        private final String type;
        private final byte[] content;
        private final boolean isText;
        private final Map<String, String> headers;

        private Body(String type, byte[] content, boolean isText, Map<String, String> headers) {
            this.type = type;
            this.content = content;
            this.isText = isText;
            this.headers = headers;
        }

        static Body of(String type, String text) {
            return new Body(type, text.getBytes(StandardCharsets.UTF_8), true, Map.of());
        }

        static Body plain(String text) {
            return of("text/plain; charset=utf-8", text + "\n");
        }

        static Body of(View view, byte[] content) {
            return new Body(view.type(), content.clone(), view != View.QR_PNG, view.headers());
        }

        /** The media type. */
        public String type() {
            return type;
        }

        /** Whether it is text in UTF-8, and no bytes of another kind. */
        public boolean isText() {
            return isText;
        }

        /** Its bytes, which are the caller's. */
        public byte[] bytes() {
            return content.clone();
        }

        /** It as text in UTF-8. */
        public String text() {
            return new String(content, StandardCharsets.UTF_8);
        }

        /** Whether there is nothing in it. */
        public boolean isEmpty() {
            return content.length == 0;
        }
    }

    private static final String NO_STORE = "no-store";
    private static final int RETRY_AFTER_SECONDS = 1; // a breaker half-opens, a shed load is over
    private static final String NOT_LOOKED_UP = "headstone; detail=not-looked-up";
    private static final Body NOT_FOUND = Body.plain("There is no such link.");
    private static final Body TRY_AGAIN = Body.plain("Not available at the moment. Try again.");
    private static final Body IN_A_BROWSER = Body.plain("This link opens in a browser.");
    private static final Body METHOD = Body.plain("Only GET and HEAD are answered here.");
    private static final String[] STORABLE = storable();

    private static String[] storable() {
        String[] values = new String[(int) Freshness.EDGE.toSeconds() + 1];
        for (int seconds = 0; seconds < values.length; seconds++) {
            // CloudFront goes on serving expired objects while the origin fails, unless told so.
            values[seconds] = "public, max-age=" + seconds + ", must-revalidate, stale-if-error=0";
        }
        return values;
    }

    /**
     * The redirect of an unlimited link, which copies at the edge may repeat for a few seconds and
     * never past its end.
     *
     * @param readsBegan when the reads that decided it were begun
     * @param now when it is made, before {@code expiresAt}
     */
    static RedirectAnswer redirect(
            String url,
            Optional<Instant> expiresAt,
            String cacheStatus,
            Instant readsBegan,
            Instant now) {
        Instant late = readsBegan.plus(Freshness.STORABLE);
        int maxAge = STORABLE.length - 1;
        if (expiresAt.isPresent()) {
            Instant end = expiresAt.get();
            maxAge = (int) Math.min(maxAge, Duration.between(now, end).toSeconds());
            Instant tooLong = end.minusSeconds(maxAge); // from then on the copy would outlive it
            late = tooLong.isBefore(late) ? tooLong : late;
        }
        return new RedirectAnswer(
                        302,
                        Optional.of(url),
                        STORABLE[maxAge],
                        cacheStatus,
                        OptionalInt.empty(),
                        Body.NONE,
                        late)
                .leavingAt(now);
    }

    /** The redirect of a limited link, which nobody may repeat. */
    static RedirectAnswer redirectOnce(String url, String cacheStatus) {
        return new RedirectAnswer(
                302,
                Optional.of(url),
                NO_STORE,
                cacheStatus,
                OptionalInt.empty(),
                Body.NONE,
                Instant.MAX);
    }

    /** No such link, or none any more. */
    static RedirectAnswer gone(int status, String cacheStatus) {
        return unstored(status, cacheStatus, OptionalInt.empty(), NOT_FOUND);
    }

    /** There is a limited link, and this request does not get to know where it leads. */
    static RedirectAnswer withheld(String cacheStatus) {
        return unstored(200, cacheStatus, OptionalInt.empty(), IN_A_BROWSER);
    }

    /** What a live link shows of itself, which nobody may repeat: the link may die at any time. */
    static RedirectAnswer view(Body body, String cacheStatus) {
        return unstored(200, cacheStatus, OptionalInt.empty(), body);
    }

    /** Nobody knows at the moment. */
    static RedirectAnswer tryAgain(String cacheStatus) {
        return unstored(503, cacheStatus, OptionalInt.of(RETRY_AFTER_SECONDS), TRY_AGAIN);
    }

    /**
     * Nobody knows at the moment, and nobody looked. For whoever carries answers, at a deadline.
     */
    public static RedirectAnswer tryAgain() {
        return tryAgain(NOT_LOOKED_UP);
    }

    /** No path of ours: answered without a look-up. */
    static RedirectAnswer notFound() {
        return gone(404, NOT_LOOKED_UP);
    }

    /** Neither GET nor HEAD. */
    static RedirectAnswer methodNotAllowed() {
        return unstored(405, NOT_LOOKED_UP, OptionalInt.empty(), METHOD);
    }

    /** The request could not be understood; {@code status} says why. */
    public static RedirectAnswer refused(int status, String why) {
        return unstored(status, NOT_LOOKED_UP, OptionalInt.empty(), Body.plain(why));
    }

    /** A page that never changes. */
    static RedirectAnswer page(Body body) {
        return new RedirectAnswer(
                200,
                Optional.empty(),
                "public, max-age=3600",
                NOT_LOOKED_UP,
                OptionalInt.empty(),
                body,
                Instant.MAX);
    }

    private static RedirectAnswer unstored(
            int status, String cacheStatus, OptionalInt retryAfter, Body body) {
        return new RedirectAnswer(
                status, Optional.empty(), NO_STORE, cacheStatus, retryAfter, body, Instant.MAX);
    }

    /**
     * The answer as it may leave at {@code now}: one that waited too long must not be stored.
     * Whoever lets answers wait asks again.
     */
    public RedirectAnswer leavingAt(Instant now) {
        return now.isAfter(storableUntil)
                ? new RedirectAnswer(
                        status, location, NO_STORE, cacheStatus, retryAfter, body, Instant.MAX)
                : this;
    }

    /** Gives each header to {@code header}; of the body, the type. */
    public void forEachHeader(BiConsumer<String, String> header) {
        if (location.isPresent()) {
            header.accept("Location", location.get());
        }
        header.accept("Cache-Control", cacheControl);
        header.accept("Cache-Status", cacheStatus);
        if (retryAfter.isPresent()) {
            header.accept("Retry-After", Integer.toString(retryAfter.getAsInt()));
        }
        if (status == 405) {
            header.accept("Allow", "GET, HEAD");
        }
        if (!body.isEmpty()) {
            // No Referrer-Policy: what the destination learns of the page where the link stood is
            // that page's to decide, and a policy of ours would override it on the redirect.
            header.accept("Content-Type", body.type());
            header.accept("X-Content-Type-Options", "nosniff");
            body.headers.forEach(header);
        }
    }

    /** Without the destination, which no log line may carry. */
    @Override
    public String toString() {
        return "RedirectAnswer[" + status + ", " + cacheControl + ", " + cacheStatus + "]";
    }
}
