package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/**
 * A request to the control port.
 *
 * @param key the idempotency key
 * @param deadline how long the whole answer may take
 */
record Question(
        String method,
        String path,
        Optional<String> body,
        Optional<String> key,
        Duration deadline) {
    static Question get(String path) {
        return of("GET", path, Optional.empty());
    }

    static Question post(String path) {
        return of("POST", path, Optional.empty());
    }

    static Question post(String path, JsonNode body) {
        return of("POST", path, Optional.of(body.toString()));
    }

    static Question patch(String path, JsonNode body) {
        return of("PATCH", path, Optional.of(body.toString()));
    }

    private static Question of(String method, String path, Optional<String> body) {
        return new Question(method, path, body, Optional.empty(), ControlClient.ANSWER);
    }

    Question under(String idempotencyKey) {
        return new Question(method, path, body, Optional.of(idempotencyKey), deadline);
    }

    Question within(Duration longest) {
        return new Question(method, path, body, key, longest);
    }

    /** Whether it changes anything, so that silence leaves a doubt. */
    boolean isChange() {
        return !method.equals("GET");
    }
}
