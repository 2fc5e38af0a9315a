package dev.headstone.writer;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.Parts;
import dev.headstone.lambda.Snapshot;
import dev.headstone.link.ShortCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lambda entry point for whoever has made a death in the table and cannot reach the cache: brings
 * the key to what the table says, confirmed, records it, and answers with the receipt or with why
 * there is none. To be invoked synchronously: an answer that nobody reads confirms nothing.
 */
public final class InvalidationLambda implements RequestStreamHandler {
    private final Snapshot<Invalidation> invalidation;

    /** What the function is made of. */
    record Invalidation(
            LinkChanges changes, Runnable beforehand, Invocations invocations, Parts parts)
            implements AutoCloseable {
        @Override
        public void close() {
            parts.close();
        }
    }

    /** For Lambda, which calls it once per execution environment. */
    public InvalidationLambda() {
        this(new Environment(System.getenv()));
    }

    private InvalidationLambda(Environment environment) {
        WriterConfig config = WriterConfig.from(environment);
        this.invalidation =
                Snapshot.of(
                        environment,
                        connections -> Wiring.open(config, connections).invalidation(),
                        InvalidationLambda::prime);
    }

    private static void prime(Invalidation open) {
        ChangeResult _ =
                open.changes.confirmDeath(
                        new Death(new ShortCode("--snapshot--priming--"), 0, 1, Instant.EPOCH));
    }

    /**
     * @throws IllegalArgumentException naming the field of the payload that is missing or malformed
     */
    @Override
    public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
            throws IOException {
        byte[] payload = input.readNBytes(RequestBodies.MAX_BYTES + 1);
        Invalidation open = invalidation.get();
        String answer =
                open.invocations.around(context, Optional.empty(), () -> answer(open, payload));
        output.write(answer.getBytes(StandardCharsets.UTF_8));
    }

    private static String answer(Invalidation open, byte[] payload) {
        return switch (Death.read(payload)) {
            case Reading.Valid<Death>(Death death) -> {
                open.beforehand.run();
                yield ControlApi.answer(open.changes.confirmDeath(death)).body();
            }
            case Reading.Rejected<Death>(var field, String why) ->
                    throw new IllegalArgumentException(
                            (field == null ? "payload" : field) + ": " + why);
            case Reading.TooLarge<Death> _ ->
                    throw new IllegalArgumentException("payload: too large");
        };
    }
}
