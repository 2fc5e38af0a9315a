package dev.headstone.standalone.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.headstone.writer.ControlResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The web page for people who watch, its assets, and the description of the API: text that lies
 * beside this class, read once. What the page shows it asks for by itself. Immutable.
 */
final class Dashboard {
    static final String PAGE = "/dashboard";
    static final String OPENAPI = "/openapi.yaml";

    private static final List<String> ASSETS =
            List.of(
                    "api.js",
                    "app.js",
                    "charts.js",
                    "dom.js",
                    "format.js",
                    "icon.svg",
                    "link.js",
                    "metrics.js",
                    "overview.js",
                    "receipt.js",
                    "signin.js",
                    "style.css",
                    "takedown.js",
                    "takedowns.js",
                    "watch.js");

    /**
     * Nothing but what this host sends, nothing inline, nothing made out of text, and no form that
     * a browser sends by itself: a token stays in a header.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'; require-trusted-types-for 'script';"
                    + " trusted-types 'none'";

    private final Map<String, ControlResponse> answers;

    Dashboard() {
        answers =
                ASSETS.stream()
                        .collect(Collectors.toMap(name -> PAGE + "/" + name, Dashboard::asset));
        answers.put(PAGE, page());
        answers.put(OPENAPI, ControlResponse.of(200, "application/yaml", text("openapi.yaml")));
    }

    /** What lies at {@code path}, if anything does. */
    Optional<ControlResponse> at(String path) {
        return Optional.ofNullable(answers.get(path));
    }

    private static ControlResponse page() {
        return ControlResponse.of(200, type("index.html"), text("dashboard/index.html"))
                .with("Content-Security-Policy", POLICY)
                .with("Cross-Origin-Opener-Policy", "same-origin")
                .with(
                        "Permissions-Policy",
                        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(),"
                                + " usb=()");
    }

    private static ControlResponse asset(String name) {
        return ControlResponse.of(200, type(name), text("dashboard/" + name));
    }

    private static String type(String name) {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "css" -> "text/css; charset=utf-8";
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("no type for " + name);
        };
    }

    private static String text(String name) {
        try (InputStream resource = Dashboard.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("not on the class path: " + name);
            }
            return new String(resource.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
