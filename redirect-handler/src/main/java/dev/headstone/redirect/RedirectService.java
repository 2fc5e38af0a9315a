package dev.headstone.redirect;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.Settler;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.RedirectDecision;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing.Alive;
import dev.headstone.redirect.RedirectAnswer.Body;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers clicks: the cache alone if it may, else the table, and brings the cache in line on the
 * way. A fresh record or a tombstone is answered on the thread that completes the look-up; what has
 * to ask the table goes to the executor, and of that only so much may wait at one time.
 *
 * <p>Safe for use by several threads. Takes no step but calls of its ports, so that with an
 * executor that runs at once it is a deterministic function of what they answer.
 */
public final class RedirectService {
    private static final Logger LOG = LoggerFactory.getLogger(RedirectService.class);

    /** The budgets of lease, table and settlement, and a turn at the table. */
    private static final Duration WARMED_WITHIN = Duration.ofSeconds(3);

    /** What all services of a process share, whichever cache connection they look through. */
    private record Shared(
            SharedReads<TableReading.Result> reads,
            VisitClaims visits,
            Turns turns,
            InstantSource clock,
            Executor executor,
            RedirectSettings settings,
            AtomicInteger waiting,
            PreviewAgents agents,
            RedirectMeters meters,
            Optional<VisitCounter> counter,
            SparseLog sparse,
            Optional<LinkViews> views) {
        private Shared with(LinkViews shown) {
            return new Shared(
                    reads,
                    visits,
                    turns,
                    clock,
                    executor,
                    settings,
                    waiting,
                    agents,
                    meters,
                    counter,
                    sparse,
                    Optional.of(shown));
        }
    }

    private final LinkCache cache;
    private final Shared shared;

    /**
     * @param cache looked into for every click, and brought in line after a miss
     * @param settler writes the tombstone of a link whose last visit was claimed
     * @param executor runs what has to ask the table, which blocks: virtual threads
     * @param changeIds gives each change that a last visit makes its unique id
     */
    public RedirectService(
            LinkCache cache,
            LinkTable table,
            Settler settler,
            InstantSource clock,
            Executor executor,
            Supplier<String> changeIds,
            RedirectSettings settings,
            MeterRegistry registry) {
        this(
                cache,
                shared(
                        cache,
                        table,
                        settler,
                        clock,
                        executor,
                        changeIds,
                        settings,
                        Optional.empty(),
                        registry));
    }

    /**
     * With somebody who counts visits.
     *
     * @param counter told of each redirect that is given to a person
     */
    public RedirectService(
            LinkCache cache,
            LinkTable table,
            Settler settler,
            InstantSource clock,
            Executor executor,
            Supplier<String> changeIds,
            RedirectSettings settings,
            VisitCounter counter,
            MeterRegistry registry) {
        this(
                cache,
                shared(
                        cache,
                        table,
                        settler,
                        clock,
                        executor,
                        changeIds,
                        settings,
                        Optional.of(counter),
                        registry));
    }

    private RedirectService(LinkCache cache, Shared shared) {
        this.cache = cache;
        this.shared = shared;
    }

    private static Shared shared(
            LinkCache cache,
            LinkTable table,
            Settler settler,
            InstantSource clock,
            Executor executor,
            Supplier<String> changeIds,
            RedirectSettings settings,
            Optional<VisitCounter> counter,
            MeterRegistry registry) {
        AtomicInteger waiting = new AtomicInteger();
        RedirectMeters meters = new RedirectMeters(registry, waiting::get);
        TableReading reading = new TableReading(cache, table, clock, meters);
        Turns turns = new Turns(settings.mostTableCalls(), settings.patience());
        return new Shared(
                new SharedReads<>(executor, turns, reading),
                new VisitClaims(cache, table, reading, settler, clock, changeIds, meters),
                turns,
                clock,
                executor,
                settings,
                waiting,
                new PreviewAgents(),
                meters,
                counter,
                new SparseLog(),
                Optional.empty());
    }

    /**
     * The same service, looking through {@code connection} to the same cache: one for each event
     * loop, so that a click does not leave its loop for a hit.
     */
    public RedirectService lookingThrough(LinkCache connection) {
        return new RedirectService(connection, shared);
    }

    /** The same service, whose links show {@code views} to whoever asks for one. */
    public RedirectService showing(LinkViews views) {
        return new RedirectService(cache, shared.with(views));
    }

    /**
     * Answers one click. The answer never fails; it ends as soon as the ports keep their deadlines.
     * It is completed by the caller's thread, the cache's, or the executor's.
     */
    public CompletionStage<RedirectAnswer> answer(RedirectRequest request) {
        if (!ShortCode.hasForm(request.code()) || !knows(request.view())) {
            return CompletableFuture.completedFuture(RedirectAnswer.notFound());
        }
        Click click =
                new Click(
                        new ShortCode(request.code()),
                        request,
                        shared.clock.instant(),
                        shared.meters.nanos(),
                        new CompletableFuture<>());
        look(click);
        return click.answer();
    }

    private boolean knows(Optional<View> view) {
        return view.isEmpty() || shared.views.filter(views -> views.have(view.get())).isPresent();
    }

    /**
     * Reads a link and brings the cache in line, as a click does that misses, in its turn. Blocks.
     *
     * @return whether its record or tombstone is in the cache now because of that
     */
    boolean warm(ShortCode code) throws InterruptedException {
        try {
            return shared.reads
                    .join(code, true)
                    .toCompletableFuture()
                    .get(WARMED_WITHIN.toNanos(), TimeUnit.NANOSECONDS)
                    .stored();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private void look(Click click) {
        lookup(click.code())
                .whenComplete(
                        (lookup, failure) -> {
                            if (failure == null) {
                                looked(click, lookup);
                            } else {
                                looked(click, unavailable(failure));
                            }
                        });
    }

    private CompletionStage<CacheLookup> lookup(ShortCode code) {
        try {
            return cache.look(code);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(unavailable(e));
        }
    }

    /** An adapter that throws breaks its contract; its clicks go on all the same. */
    private CacheLookup unavailable(Throwable failure) {
        if (shared.sparse.admits(shared.clock.instant())) {
            LOG.atError().setCause(failure).log("a look into the cache threw");
        }
        return new CacheLookup.Unavailable("the look-up threw");
    }

    private void looked(Click click, CacheLookup lookup) {
        try {
            answerFromCache(click, lookup, shared.clock.instant());
        } catch (RuntimeException e) {
            abandon(click, CacheUse.MISS, e);
        }
    }

    private void answerFromCache(Click click, CacheLookup lookup, Instant now) {
        switch (CacheVerdict.of(lookup, now)) {
            case CacheVerdict.Fresh(Active link) -> answerFresh(click, link, now);
            case CacheVerdict.Deleted(var cause) -> gone(click, CacheUse.TOMBSTONE, false, cause);
            case CacheVerdict.Stale(Active link) ->
                    askTable(click, CacheUse.STALE, Optional.of(link), true);
            case CacheVerdict.Miss _ -> askTable(click, CacheUse.MISS, Optional.empty(), true);
            case CacheVerdict.Unavailable _ ->
                    askTable(click, CacheUse.UNAVAILABLE, Optional.empty(), false);
        }
    }

    private void answerFresh(Click click, Active link, Instant now) {
        if (click.request().view().isPresent()) {
            if (admitted(click, CacheUse.HIT)) {
                show(click, CacheUse.HIT, false, Viewed.of(click.code(), link));
            }
        } else if (link.visitLimit().isEmpty()) {
            visited(click, link.stamp().epoch(), link.expiresAt(), now);
            redirect(click, CacheUse.HIT, false, link.longUrl(), link.expiresAt(), now);
        } else if (!isVisit(click)) {
            withhold(click, CacheUse.HIT, false);
        } else if (admitted(click, CacheUse.HIT)) {
            claim(click, CacheUse.HIT, false, asLink(click.code(), link));
        }
    }

    /** As much of a link as a claim needs: which incarnation and version it is, and its limit. */
    private static Link asLink(ShortCode code, Active record) {
        Instant created = Instant.ofEpochMilli(record.stamp().epoch());
        return new Link(
                code,
                Optional.of(record.longUrl()),
                record.host(),
                new Alive(),
                record.stamp().version(),
                created,
                new LastChange(created, "", Optional.empty(), ""),
                record.expiresAt(),
                Optional.empty(),
                record.owner(),
                record.tags(),
                record.visitLimit(),
                0);
    }

    /** Whether the click may wait for the table; if not, it is answered here. */
    private boolean admitted(Click click, CacheUse use) {
        if (shared.waiting.incrementAndGet() > shared.settings.mostWaiting()) {
            shared.waiting.decrementAndGet();
            finish(click, RedirectAnswer.tryAgain(use.status(false)), Outcome.SHED, use);
            return false;
        }
        CompletionStage<RedirectAnswer> answered = click.answer();
        answered.whenComplete((_, _) -> shared.waiting.decrementAndGet());
        return true;
    }

    private void askTable(Click click, CacheUse use, Optional<Active> stale, boolean populate) {
        if (!admitted(click, use)) {
            return;
        }
        CompletionStage<TableReading.Result> reading = shared.reads.join(click.code(), populate);
        reading.whenComplete(
                (result, failure) -> {
                    if (failure == null) {
                        read(click, use, stale, result);
                    } else {
                        read(click, use, stale, failed(failure));
                    }
                });
    }

    private static TableReading.Result failed(Throwable failure) {
        Exception cause =
                failure instanceof Exception exception ? exception : new Exception(failure);
        return new TableReading.Result(new TableRead.Failed(cause), false);
    }

    private void read(
            Click click, CacheUse use, Optional<Active> stale, TableReading.Result result) {
        try {
            answerFromTable(click, use, stale, result);
        } catch (RuntimeException e) {
            abandon(click, use, e);
        }
    }

    private void answerFromTable(
            Click click, CacheUse use, Optional<Active> stale, TableReading.Result result) {
        Instant now = shared.clock.instant();
        switch (result.item()) {
            case TableRead.Found(Link link) ->
                    decided(
                            click,
                            use,
                            result.stored(),
                            RedirectDecision.of(Optional.of(link), now),
                            now);
            case TableRead.Absent _ ->
                    decided(click, use, result.stored(), new RedirectDecision.Unknown(), now);
            case TableRead.Unreadable(String why) -> unreadable(click, use, why, now);
            case TableRead.Failed(Exception cause) -> tableFailed(click, use, stale, cause, now);
        }
    }

    private void decided(
            Click click, CacheUse use, boolean stored, RedirectDecision decision, Instant now) {
        switch (decision) {
            case RedirectDecision.Redirect(Link link) -> alive(click, use, stored, link, now);
            case RedirectDecision.Gone(var _, Cause cause) ->
                    gone(click, use, stored, Optional.of(cause));
            case RedirectDecision.Expired _ -> notFound(click, use, stored, Outcome.EXPIRED);
            case RedirectDecision.Unknown _ -> notFound(click, use, stored, Outcome.UNKNOWN);
        }
    }

    private void alive(Click click, CacheUse use, boolean stored, Link link, Instant now) {
        if (click.request().view().isPresent()) {
            show(click, use, stored, Viewed.of(link));
        } else if (link.visitLimit().isEmpty()) {
            String url = link.longUrl().orElseThrow();
            visited(click, link.epoch(), link.expiresAt(), now);
            redirect(click, use, stored, url, link.expiresAt(), now);
        } else if (!isVisit(click)) {
            withhold(click, use, stored);
        } else {
            claim(click, use, stored, link);
        }
    }

    /** Answers with what a live link shows of itself, which may have to be made. */
    private void show(Click click, CacheUse use, boolean stored, Viewed link) {
        try {
            shared.executor.execute(() -> showNow(click, use, stored, link));
        } catch (RejectedExecutionException e) {
            abandon(click, use, e);
        }
    }

    private void showNow(Click click, CacheUse use, boolean stored, Viewed link) {
        try {
            View view = click.request().view().orElseThrow();
            Body shown = shared.views.orElseThrow().of(view, link);
            if (link.isExpired(shared.clock.instant())) {
                notFound(click, use, stored, Outcome.EXPIRED);
            } else {
                finish(click, RedirectAnswer.view(shown, use.status(stored)), view.outcome(), use);
            }
        } catch (RuntimeException e) {
            abandon(click, use, e);
        }
    }

    /**
     * Claims a visit and answers. Each click claims for itself, beside the thread that read for
     * many of them.
     */
    private void claim(Click click, CacheUse use, boolean stored, Link link) {
        try {
            shared.executor.execute(() -> claimNow(click, use, stored, link));
        } catch (RejectedExecutionException e) {
            abandon(click, use, e);
        }
    }

    private void claimNow(Click click, CacheUse use, boolean stored, Link link) {
        try {
            claimed(click, use, stored, claimInTurn(link), shared.clock.instant());
        } catch (RuntimeException e) {
            abandon(click, use, e);
        }
    }

    private VisitClaims.Outcome claimInTurn(Link link) {
        if (!shared.turns.take()) {
            return new VisitClaims.Outcome.Failed();
        }
        try {
            return shared.visits.claim(link);
        } finally {
            shared.turns.giveBack();
        }
    }

    private void claimed(
            Click click, CacheUse use, boolean stored, VisitClaims.Outcome outcome, Instant now) {
        switch (outcome) {
            case VisitClaims.Outcome.Granted(Link link) -> {
                if (link.isExpired(now)) {
                    notFound(click, use, stored, Outcome.EXPIRED);
                } else {
                    String url = link.longUrl().orElseThrow();
                    count(link.code(), link.epoch(), link.expiresAt(), now);
                    finish(
                            click,
                            RedirectAnswer.redirectOnce(url, use.status(stored)),
                            Outcome.REDIRECT,
                            use);
                }
            }
            case VisitClaims.Outcome.Denied(RedirectDecision decision) ->
                    decided(click, use, stored, decision, now);
            case VisitClaims.Outcome.Failed _ -> fail(click, use, stored);
        }
    }

    /** A stale record may answer for a table that fails; it cannot claim a visit. */
    private void tableFailed(
            Click click, CacheUse use, Optional<Active> stale, Exception cause, Instant now) {
        Optional<Active> standIn = stale.filter(link -> CacheVerdict.answersFor(link, now));
        if (shared.sparse.admits(now)) {
            LOG.atWarn()
                    .addKeyValue("code", click.code())
                    .addKeyValue("stale_served", standIn.isPresent())
                    .addKeyValue("cause", cause.toString())
                    .log("the table failed a click");
        }
        if (standIn.isEmpty()) {
            fail(click, use, false);
        } else if (click.request().view().isPresent()) {
            show(click, CacheUse.STALE_SERVED, false, Viewed.of(click.code(), standIn.get()));
        } else if (standIn.get().visitLimit().isEmpty()) {
            Active link = standIn.get();
            visited(click, link.stamp().epoch(), link.expiresAt(), now);
            redirect(click, CacheUse.STALE_SERVED, false, link.longUrl(), link.expiresAt(), now);
        } else if (isVisit(click)) {
            fail(click, use, false);
        } else {
            withhold(click, CacheUse.STALE_SERVED, false);
        }
    }

    /** An item that nobody can read may be a dead link's: no stale record stands in for it. */
    private void unreadable(Click click, CacheUse use, String why, Instant now) {
        if (shared.sparse.admits(now)) {
            LOG.atError()
                    .addKeyValue("code", click.code())
                    .addKeyValue("why", why)
                    .log("an item of the table is no link");
        }
        fail(click, use, false);
    }

    private void visited(Click click, long epoch, Optional<Instant> expiresAt, Instant now) {
        if (isVisit(click)) {
            count(click.code(), epoch, expiresAt, now);
        }
    }

    private void count(ShortCode code, long epoch, Optional<Instant> expiresAt, Instant now) {
        shared.meters.clicked();
        shared.counter.ifPresent(counter -> counter.note(code, epoch, expiresAt, now));
    }

    private void redirect(
            Click click,
            CacheUse use,
            boolean stored,
            String url,
            Optional<Instant> expiresAt,
            Instant now) {
        finish(
                click,
                RedirectAnswer.redirect(url, expiresAt, use.status(stored), click.began(), now),
                Outcome.REDIRECT,
                use);
    }

    private void gone(Click click, CacheUse use, boolean stored, Optional<Cause> cause) {
        int status =
                cause.filter(Cause.TAKEDOWN::equals).isPresent()
                        ? shared.settings.goneStatus()
                        : 404;
        finish(click, RedirectAnswer.gone(status, use.status(stored)), Outcome.GONE, use);
    }

    private void notFound(Click click, CacheUse use, boolean stored, Outcome outcome) {
        finish(click, RedirectAnswer.gone(404, use.status(stored)), outcome, use);
    }

    private void withhold(Click click, CacheUse use, boolean stored) {
        finish(click, RedirectAnswer.withheld(use.status(stored)), Outcome.WITHHELD, use);
    }

    private void fail(Click click, CacheUse use, boolean stored) {
        finish(click, RedirectAnswer.tryAgain(use.status(stored)), Outcome.FAILED, use);
    }

    /** Something threw that must not: the visitor is told to come again, and we are told why. */
    private void abandon(Click click, CacheUse use, RuntimeException failure) {
        LOG.atError()
                .addKeyValue("code", click.code())
                .setCause(failure)
                .log("a click could not be answered");
        fail(click, use, false);
    }

    private void finish(Click click, RedirectAnswer answer, Outcome outcome, CacheUse use) {
        if (click.answer().complete(answer)) {
            shared.meters.answered(outcome, use, click.nanos());
        }
    }

    /** Whether a person follows the link now, rather than a program that looks ahead. */
    private boolean isVisit(Click click) {
        RedirectRequest request = click.request();
        return !request.head()
                && !request.visitor().asksInAdvance()
                && !shared.agents.contain(request.visitor().userAgent());
    }
}
