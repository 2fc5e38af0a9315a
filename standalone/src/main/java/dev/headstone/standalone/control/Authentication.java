package dev.headstone.standalone.control;

import dev.headstone.writer.Caller;
import java.util.Optional;

/** Finds out who makes a request. May be called by several threads. */
@FunctionalInterface
public interface Authentication {
    /**
     * Who holds the token.
     *
     * @param token what stands after {@code Bearer}
     * @return empty for a token that is not good, or not any more
     */
    Optional<Caller> caller(String token);
}
