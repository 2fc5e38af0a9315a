package dev.headstone.standalone.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Optional;

/** What became of asking a running {@code serve}. */
sealed interface Reply {
    /**
     * It answered.
     *
     * @param retryAfter the seconds after which to try again, if it said so
     */
    record Answered(int status, String body, Optional<String> retryAfter) implements Reply {
        private static final ObjectMapper JSON = new ObjectMapper();

        boolean isSuccess() {
            return status / 100 == 2;
        }

        /** The body; missing where it is no JSON. */
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException e) {
                return MissingNode.getInstance();
            }
        }
    }

    /** Nobody was there: nothing has been done. */
    record NotReached() implements Reply {}

    /** It was asked and said nothing in time: nobody knows what has been done. */
    record NoAnswer() implements Reply {}
}
