package dev.headstone.redirect;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lambda entry point behind a function URL or an HTTP API: translates the event in and the answer
 * out, and decides nothing.
 */
public final class RedirectLambda implements RequestStreamHandler {
    /** Below any sensible timeout of the function, above what the ports may take. */
    private static final Duration DEADLINE = Duration.ofMillis(2_500);

    /**
     * A code that nobody can have: too long to be made, and no alias begins like that by chance.
     */
    private static final String PRIMING = "/--snapshot--priming--";

    private final Handling handling;
    private final Duration deadline;

    /** Around an answer, whatever has to be: ids in logs, figures, a look at the cache. */
    private interface Handling {
        RedirectAnswer answer(ClickEvent event, @Nullable Context context);
    }

    /** For Lambda, which calls it once per execution environment. */
    public RedirectLambda() {
        this(new Environment(System.getenv()));
    }

    private RedirectLambda(Environment environment) {
        this.deadline = DEADLINE;
        RedirectConfig config = RedirectConfig.from(environment);
        Snapshot<Wiring> wiring =
                Snapshot.of(
                        environment,
                        connections -> Wiring.open(config, connections),
                        RedirectLambda::prime);
        this.handling = (event, context) -> answer(wiring.get(), event, context);
    }

    /**
     * For a process that has its own service.
     *
     * @param deadline how long an answer may take, well below the function's own timeout
     */
    public RedirectLambda(RedirectSite site, InstantSource clock, Duration deadline) {
        this.deadline = deadline;
        this.handling = (event, _) -> answer(site, clock, event);
    }

    /** A miss goes through everything but the redirect itself. */
    private static void prime(Wiring wiring) {
        for (String method : List.of("GET", "HEAD")) {
            RedirectAnswer _ =
                    wiring.site()
                            .answer(method, PRIMING, new Visitor("", "", "", ""))
                            .toCompletableFuture()
                            .join();
        }
    }

    /**
     * Answers one click.
     *
     * @throws IOException if the event is none of a click, or the answer cannot be written
     */
    @Override
    public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
            throws IOException {
        ClickEvent event = ClickEvent.read(input);
        event.answer(handling.answer(event, context), output);
    }

    private RedirectAnswer answer(Wiring wiring, ClickEvent event, @Nullable Context context) {
        return wiring.invocations()
                .around(
                        context,
                        Optional.ofNullable(event.headers().get("x-amzn-trace-id")),
                        () -> {
                            RedirectAnswer answer = answer(wiring.site(), wiring.clock(), event);
                            wiring.writeVisitsIfDue();
                            return answer;
                        });
    }

    private RedirectAnswer answer(RedirectSite site, InstantSource clock, ClickEvent event) {
        return await(site, event).leavingAt(clock.instant());
    }

    private RedirectAnswer await(RedirectSite site, ClickEvent event) {
        CompletableFuture<RedirectAnswer> answer =
                site.answer(event.method(), event.target(), event.visitor()).toCompletableFuture();
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return RedirectAnswer.tryAgain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return RedirectAnswer.tryAgain();
        }
    }
}
