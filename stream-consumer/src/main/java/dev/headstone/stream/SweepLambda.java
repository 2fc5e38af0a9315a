package dev.headstone.stream;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Lambda entry point of the sweep, on a schedule. A sweep that is not finished in one invocation is
 * gone on with by the next, as long as it gets the same environment; one at a time, since the
 * function is reserved a concurrency of one.
 */
public final class SweepLambda implements RequestHandler<ScheduledEvent, SweepReport> {
    private final Snapshot<Sweeper> sweeper;

    /** What the function is made of. */
    private record Sweeper(Wiring wiring, Sweep sweep) implements AutoCloseable {
        Sweeper(Wiring wiring) {
            this(wiring, wiring.sweep());
        }

        SweepReport run() {
            wiring.verifyCache();
            return SweepReport.of(sweep.run());
        }

        @Override
        public void close() {
            wiring.close();
        }
    }

    /** For Lambda, which calls it once per execution environment. */
    public SweepLambda() {
        this(new Environment(System.getenv()));
    }

    private SweepLambda(Environment environment) {
        ConsumerConfig config = ConsumerConfig.from(environment);
        this.sweeper =
                Snapshot.of(
                        environment,
                        connections -> new Sweeper(Wiring.open(config, connections)),
                        open -> open.wiring().prime());
    }

    @Override
    public SweepReport handleRequest(ScheduledEvent event, @Nullable Context context) {
        Sweeper open = sweeper.get();
        return open.wiring().invocations().around(context, open::run);
    }
}
