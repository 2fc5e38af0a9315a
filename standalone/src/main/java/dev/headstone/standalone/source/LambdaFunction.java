package dev.headstone.standalone.source;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.serialization.factories.JacksonFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A Lambda handler as an {@link EventHandler}: JSON goes in and out through the serializers of
 * Lambda's managed Java runtime ({@code aws-lambda-java-serialization}), so what a handler sees
 * here is what it sees there.
 *
 * <p>Safe for use by several threads when the handler and the random generator are.
 */
public final class LambdaFunction<E, R extends @Nullable Object> implements EventHandler {
    private static final byte[] NULL_AS_JSON = "null".getBytes(StandardCharsets.UTF_8);

    private final String name;
    private final RequestHandler<E, R> handler;
    private final PojoSerializer<E> events;
    private final InstantSource clock;
    private final RandomGenerator requestIds;

    private LambdaFunction(
            String name,
            RequestHandler<E, R> handler,
            PojoSerializer<E> events,
            InstantSource clock,
            RandomGenerator requestIds) {
        this.name = name;
        this.handler = handler;
        this.events = events;
        this.clock = clock;
        this.requestIds = requestIds;
    }

    /**
     * Wraps a handler.
     *
     * @param name the function's name, as its {@code Context} and the log give it
     * @param eventType the event the handler takes; one of Lambda's own event types is read with
     *     its special rules
     * @param clock what the remaining time is counted by
     * @param requestIds where request ids come from; must be thread-safe
     */
    public static <E, R extends @Nullable Object> LambdaFunction<E, R> of(
            String name,
            RequestHandler<E, R> handler,
            Class<E> eventType,
            InstantSource clock,
            RandomGenerator requestIds) {
        return new LambdaFunction<>(name, handler, serializerFor(eventType), clock, requestIds);
    }

    @Override
    public byte[] handle(byte[] event, Instant deadline) {
        E input = events.fromJson(new ByteArrayInputStream(event));
        LambdaContext context = new LambdaContext(name, requestId(), deadline, clock);
        return toJson(handler.handleRequest(input, context));
    }

    private static <T> PojoSerializer<T> serializerFor(Class<T> type) {
        return LambdaEventSerializers.isLambdaSupportedEvent(type.getName())
                ? LambdaEventSerializers.serializerFor(type, type.getClassLoader())
                : JacksonFactory.getInstance().getSerializer(type);
    }

    private static <T> byte[] toJson(@Nullable T response) {
        if (response == null) {
            return NULL_AS_JSON;
        }
        @SuppressWarnings("unchecked") // getClass() of a T is a Class of T or of a subtype
        PojoSerializer<T> serializer = serializerFor((Class<T>) response.getClass());
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        serializer.toJson(response, json);
        return json.toByteArray();
    }

    private String requestId() {
        return new UUID(requestIds.nextLong(), requestIds.nextLong()).toString();
    }
}
