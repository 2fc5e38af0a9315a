package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import dev.headstone.redirect.RedirectAnswer.Body;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The paths of the redirect port, for whoever listens there: codes go to the service, a few pages
 * are answered here, and whatever else is asked for is not found, without a look-up and without a
 * redirect. Safe for use by several threads.
 */
public final class RedirectSite {
    private static final CompletionStage<RedirectAnswer> NOT_FOUND =
            CompletableFuture.completedStage(RedirectAnswer.notFound());
    private static final CompletionStage<RedirectAnswer> NOT_ALLOWED =
            CompletableFuture.completedStage(RedirectAnswer.methodNotAllowed());
    private static final CompletionStage<RedirectAnswer> BAD_FORMAT =
            CompletableFuture.completedStage(
                    RedirectAnswer.refused(400, "format is svg or png, and given once."));
    private static final CompletionStage<RedirectAnswer> HOME =
            page(Body.plain("Short links lead on from here."));

    /** Everything is open to robots: a preview of an unlimited link begins with its redirect. */
    private static final CompletionStage<RedirectAnswer> ROBOTS =
            page(Body.plain("User-agent: *\nDisallow:"));

    private static final CompletionStage<RedirectAnswer> ICON =
            page(
                    Body.of(
                            "image/svg+xml",
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\">"
                                    + "<path fill=\"#667\" d=\"M3 15V6a5 5 0 0 1 10 0v9z\"/>"
                                    + "</svg>\n"));

    private static final String PREVIEW = "+";
    private static final String QR = ".qr";
    private static final int MOST_PARAMETERS = 64; // the rest of a query is its last parameter

    private final RedirectService service;

    /** The paths, in front of {@code service}. */
    public RedirectSite(RedirectService service) {
        this.service = service;
    }

    private static CompletionStage<RedirectAnswer> page(Body body) {
        return CompletableFuture.completedStage(RedirectAnswer.page(body));
    }

    /**
     * Answers one request. The answer never fails.
     *
     * @param target the request target as it was sent, which nobody has decoded; its query is
     *     ignored but for the {@code format} of a QR code
     */
    public CompletionStage<RedirectAnswer> answer(String method, String target, Visitor visitor) {
        boolean head = method.equals("HEAD");
        if (!head && !method.equals("GET")) {
            return NOT_ALLOWED;
        }
        String path = pathOf(target);
        return switch (path) {
            case "/" -> HOME;
            case "/robots.txt" -> ROBOTS;
            case "/favicon.ico" -> ICON;
            default -> answerCode(path, queryOf(target), head, visitor);
        };
    }

    private CompletionStage<RedirectAnswer> answerCode(
            String path, String query, boolean head, Visitor visitor) {
        if (!path.startsWith("/")) {
            return NOT_FOUND; // an absolute URL or an asterisk
        }
        String code = path.substring(1);
        if (ShortCode.hasForm(code)) {
            return service.answer(new RedirectRequest(code, head, visitor));
        }
        if (code.endsWith(PREVIEW)) {
            return show(without(PREVIEW, code), View.PREVIEW, head, visitor);
        }
        return code.endsWith(QR) ? draw(without(QR, code), query, head, visitor) : NOT_FOUND;
    }

    private static String without(String suffix, String text) {
        return text.substring(0, text.length() - suffix.length());
    }

    private CompletionStage<RedirectAnswer> draw(
            String code, String query, boolean head, Visitor visitor) {
        if (!ShortCode.hasForm(code)) {
            return NOT_FOUND;
        }
        List<String> formats =
                Arrays.stream(query.split("&", MOST_PARAMETERS))
                        .filter(parameter -> (parameter + "=").startsWith("format="))
                        .toList();
        return switch (formats.size()) {
            case 0 -> show(code, View.QR_SVG, head, visitor);
            case 1 ->
                    switch (formats.getFirst()) {
                        case "format=svg" -> show(code, View.QR_SVG, head, visitor);
                        case "format=png" -> show(code, View.QR_PNG, head, visitor);
                        default -> BAD_FORMAT;
                    };
            default -> BAD_FORMAT;
        };
    }

    private CompletionStage<RedirectAnswer> show(
            String code, View view, boolean head, Visitor visitor) {
        return service.answer(new RedirectRequest(code, head, visitor, Optional.of(view)));
    }

    private static String queryOf(String target) {
        int query = target.indexOf('?');
        return query < 0 ? "" : target.substring(query + 1);
    }

    private static String pathOf(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
