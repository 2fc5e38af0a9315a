package dev.headstone.stream;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Invocations;
import dev.headstone.lambda.Snapshot;
import org.jspecify.annotations.Nullable;

/** Lambda entry point of the stream consumer: {@link StreamHandler} as an environment has it. */
public final class StreamLambda implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
    private final Snapshot<Consumer> consumer;

    /** What the function is made of. */
    private record Consumer(Wiring wiring, StreamHandler handler) implements AutoCloseable {
        Consumer(Wiring wiring) {
            this(wiring, wiring.streamHandler());
        }

        Invocations invocations() {
            return wiring.invocations();
        }

        StreamsEventResponse handle(DynamodbEvent event, @Nullable Context context) {
            wiring.verifyCache();
            StreamsEventResponse response = handler.handleRequest(event, context);
            wiring.comparisons().flush();
            return response;
        }

        @Override
        public void close() {
            wiring.close();
        }
    }

    /** For Lambda, which calls it once per execution environment. */
    public StreamLambda() {
        this(new Environment(System.getenv()));
    }

    private StreamLambda(Environment environment) {
        ConsumerConfig config = ConsumerConfig.from(environment);
        this.consumer =
                Snapshot.of(
                        environment,
                        connections -> new Consumer(Wiring.open(config, connections)),
                        open -> open.wiring().prime());
    }

    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
        Consumer open = consumer.get();
        return open.invocations().around(context, () -> open.handle(event, context));
    }
}
