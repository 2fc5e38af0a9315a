package dev.headstone.cache;

import dev.headstone.freshness.Freshness;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is known of one cache's node young: observes it several times a second, and says when
 * it changes. Start it once; it runs until it is closed.
 */
public final class TrustWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TrustWatch.class);

    private final String name;
    private final TrustedLinkCache cache;
    private final Runnable unswept;
    private final Thread watcher;
    private Optional<CacheRun> run = Optional.empty();
    private Optional<String> distrust = Optional.empty();

    /**
     * @param name of the connections, for the log
     * @param unswept told after each observation that found a run that has not been swept; must
     *     return at once
     */
    public TrustWatch(String name, TrustedLinkCache cache, Runnable unswept) {
        this.name = name;
        this.cache = cache;
        this.unswept = unswept;
        this.watcher = Thread.ofVirtual().name("trust-" + name).unstarted(this::watch);
    }

    /** Observes at once and from then on. */
    public TrustWatch start() {
        watcher.start();
        return this;
    }

    private void watch() {
        try {
            while (true) {
                observe();
                Thread.sleep(Freshness.VERIFY_EVERY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void observe() {
        try {
            Trust trust = cache.observe();
            tell(trust);
            if (trust.run().isPresent() && !trust.swept()) {
                unswept.run();
            }
        } catch (RuntimeException e) { // a watch that ends takes the cache away for good
            log.atError().setCause(e).addKeyValue("cache", name).log("cache not observed");
        }
    }

    private void tell(Trust trust) {
        Optional<CacheRun> now = trust.run();
        if (now.isPresent() && !now.equals(run)) {
            log.atInfo()
                    .addKeyValue("cache", name)
                    .addKeyValue("run", now.get().name())
                    .addKeyValue("before", run.map(CacheRun::name).orElse("none"))
                    .log("cache has a new run");
            run = now;
        }
        Optional<String> why = cache.distrust();
        if (!why.equals(distrust)) {
            if (why.isPresent()) {
                log.atWarn()
                        .addKeyValue("cache", name)
                        .addKeyValue("why", why.get())
                        .log("cache is not trusted, the table is asked");
            } else {
                log.atInfo().addKeyValue("cache", name).log("cache is trusted");
            }
            distrust = why;
        }
    }

    /** Stops observing; waits a second at the most for an observation that is under way. */
    @Override
    public void close() {
        watcher.interrupt();
        try {
            if (watcher.isAlive()) {
                watcher.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
