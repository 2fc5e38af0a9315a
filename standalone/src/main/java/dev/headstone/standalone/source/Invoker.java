package dev.headstone.standalone.source;

import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a handler, each time on a virtual thread of its own with a deadline, at most so many at
 * once. Safe for use by several threads.
 */
final class Invoker {
    private static final Logger LOG = LoggerFactory.getLogger(Invoker.class);

    /** How long a handler may take to notice that it was interrupted. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final String source;
    private final EventHandler handler;
    private final Duration deadline;
    private final Semaphore places;
    private final InstantSource clock;
    private final ExecutorService threads;

    Invoker(
            String source,
            EventHandler handler,
            Duration deadline,
            int concurrency,
            InstantSource clock) {
        this.source = source;
        this.handler = handler;
        this.deadline = deadline;
        this.places = new Semaphore(concurrency, true);
        this.clock = clock;
        this.threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name(source + "-handler-", 0).factory());
    }

    /**
     * Calls the handler and waits until it has answered or its deadline is over.
     *
     * @throws InterruptedException when the waiting thread is interrupted; the handler then is, too
     */
    Answer invoke(byte[] event) throws InterruptedException {
        places.acquire();
        try {
            return invokeInPlace(event);
        } finally {
            places.release();
        }
    }

    private Answer invokeInPlace(byte[] event) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        Future<Answer> call = threads.submit(() -> call(event, ended));
        try {
            return call.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return threw(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            abandon(call, ended);
            return new Failed(Kind.TIMED_OUT, "no answer within " + deadline);
        } catch (InterruptedException e) {
            call.cancel(true);
            throw e;
        }
    }

    private Answer call(byte[] event, CountDownLatch ended) throws Exception {
        try {
            return BatchResponse.read(handler.handle(event, clock.instant().plus(deadline)));
        } finally {
            ended.countDown();
        }
    }

    private Answer threw(Throwable cause) {
        LOG.atDebug().addKeyValue("source", source).setCause(cause).log("handler threw");
        return new Failed(Kind.THREW, Faults.name(cause));
    }

    private void abandon(Future<Answer> call, CountDownLatch ended) throws InterruptedException {
        call.cancel(true);
        if (!ended.await(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
            LOG.atWarn()
                    .addKeyValue("source", source)
                    .log("handler goes on after its deadline and an interrupt");
        }
    }
}
