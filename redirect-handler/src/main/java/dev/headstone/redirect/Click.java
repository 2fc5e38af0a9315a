package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * One click on its way to its answer.
 *
 * @param began when its reads were begun
 * @param nanos the same on a clock that only goes forward
 */
record Click(
        ShortCode code,
        RedirectRequest request,
        Instant began,
        long nanos,
        CompletableFuture<RedirectAnswer> answer) {}
