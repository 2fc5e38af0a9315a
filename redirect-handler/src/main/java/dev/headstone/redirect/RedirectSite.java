package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import dev.headstone.redirect.RedirectAnswer.Body;
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
    private static final CompletionStage<RedirectAnswer> HOME =
            page(Body.plain("Short links lead on from here."));

    /** Everything is open to robots: a preview of an unlimited link begins with its redirect. */
    private static final CompletionStage<RedirectAnswer> ROBOTS =
            page(Body.plain("User-agent: *\nDisallow:"));

    private static final CompletionStage<RedirectAnswer> ICON =
            page(
                    new Body(
                            "image/svg+xml",
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\">"
                                    + "<path fill=\"#667\" d=\"M3 15V6a5 5 0 0 1 10 0v9z\"/>"
                                    + "</svg>\n"));

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
     *     ignored
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
            default -> answerCode(path, head, visitor);
        };
    }

    private CompletionStage<RedirectAnswer> answerCode(String path, boolean head, Visitor visitor) {
        if (!path.startsWith("/")) {
            return NOT_FOUND; // an absolute URL or an asterisk
        }
        String code = path.substring(1);
        return ShortCode.hasForm(code)
                ? service.answer(new RedirectRequest(code, head, visitor))
                : NOT_FOUND;
    }

    private static String pathOf(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }
}
