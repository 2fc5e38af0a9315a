package dev.headstone.standalone.cli;

import dev.headstone.standalone.data.ServeFile;
import dev.headstone.standalone.operators.Operators;
import dev.headstone.standalone.options.Misuse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a running {@code serve} is, and what lets one in.
 *
 * @param control the control port
 * @param token may be empty where none is needed
 * @param said who said so, for messages
 */
record Place(URI control, String token, String said) {
    private static final Pattern TOKEN = Pattern.compile("[!-~]{1,512}");
    private static final String URL_VARIABLE = "HEADSTONE_URL";
    private static final String TOKEN_VARIABLE = "HEADSTONE_TOKEN";

    /** Whether there is one. */
    sealed interface Found {
        /** There may be. */
        record At(Place place) implements Found {}

        /** There is none, and that is why. */
        record Nowhere(String why) implements Found {}
    }

    /**
     * Looks into the environment, else into a data folder. The local token goes to this machine's
     * serve only: an address of somebody's without a token of its own is refused.
     *
     * @throws Misuse when a variable is malformed, or one of them is missing
     */
    static Found find(Map<String, String> environment, Path folder, boolean needsToken) {
        Optional<String> url = variable(environment, URL_VARIABLE);
        Optional<String> token = variable(environment, TOKEN_VARIABLE);
        token.filter(text -> !TOKEN.matcher(text).matches())
                .ifPresent(
                        _ -> {
                            throw new Misuse(TOKEN_VARIABLE + " is no token");
                        });
        if (url.isPresent()) {
            if (token.isEmpty() && needsToken) {
                throw new Misuse(
                        "HEADSTONE_URL is set and HEADSTONE_TOKEN is not: set both or neither");
            }
            return new Found.At(new Place(control(url.get()), token.orElse(""), URL_VARIABLE));
        }
        try {
            return inFolder(folder, token);
        } catch (IOException e) {
            return new Found.Nowhere("%s cannot be read".formatted(shown(folder)));
        }
    }

    private static Found inFolder(Path folder, Optional<String> token) throws IOException {
        String file = shown(folder) + "/serve.json";
        Optional<ServeFile> running = ServeFile.read(folder);
        if (running.isEmpty()) {
            return new Found.Nowhere(
                    ("no serve is running: there is no %s; start one, or say where with --data,"
                                    + " or HEADSTONE_URL and HEADSTONE_TOKEN")
                            .formatted(file));
        }
        long pid = running.get().pid();
        if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()) {
            // Whoever has its port by now must not be given the token.
            return new Found.Nowhere(
                    "no serve is running: %s names process %d, which is gone; start it again"
                            .formatted(file, pid));
        }
        Optional<String> found = token.isPresent() ? token : Operators.localToken(folder);
        return found.<Found>map(
                        known ->
                                new Found.At(
                                        new Place(
                                                URI.create(
                                                        "http://127.0.0.1:"
                                                                + running.get().controlPort()),
                                                known,
                                                file)))
                .orElseGet(
                        () ->
                                new Found.Nowhere(
                                        "there is no token in %s/local-token; set HEADSTONE_TOKEN"
                                                .formatted(shown(folder))));
    }

    private static String shown(Path folder) {
        return Plain.text(folder.toString());
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
    }

    private static URI control(String text) {
        try {
            URI url = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (web
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawPath().isEmpty()
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null) {
                return url;
            }
        } catch (URISyntaxException _) {
            // said below, for all that is wrong with it
        }
        throw new Misuse(
                URL_VARIABLE + " must be http:// or https:// with a host, a port, and no more");
    }
}
