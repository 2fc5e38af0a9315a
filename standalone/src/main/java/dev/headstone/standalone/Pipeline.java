package dev.headstone.standalone;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.headstone.audit.AuditQueue;
import dev.headstone.audit.SqsAuditQueue;
import dev.headstone.auditlog.AuditHandler;
import dev.headstone.auditlog.AuditLog;
import dev.headstone.auditlog.AuditReader;
import dev.headstone.auditlog.AuditTables;
import dev.headstone.auditlog.DynamoAuditLog;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.Settler;
import dev.headstone.redirect.LinkViews;
import dev.headstone.redirect.RedirectService;
import dev.headstone.redirect.RedirectSettings;
import dev.headstone.redirect.RedirectSite;
import dev.headstone.redirect.VisitCounter;
import dev.headstone.redirect.VisitPace;
import dev.headstone.redirect.VisitSchedule;
import dev.headstone.redirect.WarmUp;
import dev.headstone.standalone.control.ControlListener;
import dev.headstone.standalone.control.ControlSettings;
import dev.headstone.standalone.control.ControlSite;
import dev.headstone.standalone.control.Part;
import dev.headstone.standalone.data.DataDirectory;
import dev.headstone.standalone.data.ServeFile;
import dev.headstone.standalone.listener.ListenerSettings;
import dev.headstone.standalone.listener.RedirectListener;
import dev.headstone.standalone.operators.Operators;
import dev.headstone.standalone.options.Backend;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.ServeOptions;
import dev.headstone.standalone.queue.QueueResources;
import dev.headstone.standalone.queue.QueueResources.Queue;
import dev.headstone.standalone.source.DeadLetters;
import dev.headstone.standalone.source.DynamoDbFailedBatches;
import dev.headstone.standalone.source.EventSources;
import dev.headstone.standalone.source.FailedBatches;
import dev.headstone.standalone.source.LambdaFunction;
import dev.headstone.standalone.source.QueueSettings;
import dev.headstone.standalone.source.QueueSource;
import dev.headstone.standalone.source.SourceState;
import dev.headstone.standalone.source.StreamSettings;
import dev.headstone.standalone.source.StreamSource;
import dev.headstone.stream.CacheComparator;
import dev.headstone.stream.ComparisonSchedule;
import dev.headstone.stream.Comparisons;
import dev.headstone.stream.DynamoParking;
import dev.headstone.stream.StreamHandler;
import dev.headstone.stream.Sweep;
import dev.headstone.stream.SweepSchedule;
import dev.headstone.stream.SweepSettings;
import dev.headstone.table.DynamoDeathIndex;
import dev.headstone.table.DynamoLinkTable;
import dev.headstone.table.DynamoVisitTable;
import dev.headstone.table.LinkTables;
import dev.headstone.table.TableNames;
import dev.headstone.writer.Caller;
import dev.headstone.writer.ControlApi;
import dev.headstone.writer.DestinationPolicy;
import dev.headstone.writer.Role;
import dev.headstone.writer.WriterPorts;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The wiring of {@code serve}: puts every part together and starts it, and stops what runs, last
 * first. The only place of this module that makes clients, a clock and a source of randomness.
 */
final class Pipeline implements AutoCloseable {
    /** What a stalled change may still do to the cache after its deadline ends with its lease. */
    private static final Duration SETTLE_BUDGET = Duration.ofMillis(2_500);

    private static final Duration SOURCES_READY = Duration.ofSeconds(20);
    private static final Duration REQUEST = Duration.ofSeconds(5);
    private static final Duration DEPTHS = Duration.ofSeconds(5);
    private static final long MOST_FAILED_BATCHES = 10_000;

    /** A small load beside what they watch. */
    private static final int COMPARISONS_PER_SECOND = 100;

    /** What so many a second can make up for by the longest horizon. */
    private static final int MOST_COMPARISONS_WAITING = 300 * COMPARISONS_PER_SECOND;

    private static final String STREAM_CONSUMER = "stream-consumer";
    private static final String AUDIT_WRITER = "audit-writer";

    private final InstantSource clock = Clock.tickMillis(ZoneOffset.UTC);
    private final SecureRandom random = new SecureRandom();
    private final PrometheusMeterRegistry meters =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ServeOptions options;
    private final Console console;
    private final Closing closing = new Closing();
    private Optional<Stores> running = Optional.empty();

    private Pipeline(ServeOptions options, Console console) {
        this.options = options;
        this.console = console;
    }

    /**
     * Starts everything and says so, part by part.
     *
     * @throws IOException saying which part did not start; what had been started is stopped
     */
    static Pipeline start(ServeOptions options, Console console)
            throws IOException, InterruptedException {
        Pipeline pipeline = new Pipeline(options, console);
        try {
            pipeline.start();
            return pipeline;
        } catch (IOException | InterruptedException | RuntimeException e) {
            pipeline.close();
            throw e;
        }
    }

    private void start() throws IOException, InterruptedException {
        DataDirectory data =
                closing.add(
                        DataDirectory.open(
                                options.data(), options.inMemory(), ProcessHandle.current().pid()));
        Operators operators = new Operators(data.path(), random, clock);
        Optional<String> firstToken = operators.addFirst();
        operators.ensureLocalToken();

        Stores stores = closing.add(Stores.start(options, data, console, clock, random));
        running = Optional.of(stores);
        Clients clients = closing.add(Clients.of(stores));
        TableNames names = new TableNames(options.names().linksTable());
        create(clients, names);

        Caches caches = closing.add(Caches.open(stores.redis(), options, random, meters, clock));
        DynamoLinkTable reads = new DynamoLinkTable(clients.tableOfClicks(), names);
        DynamoLinkTable writes = new DynamoLinkTable(clients.table(), names);
        AuditQueue queue = new SqsAuditQueue(clients.queue(), options.names().auditQueue());
        AuditLog log = new DynamoAuditLog(clients.table(), options.names().auditTable(), clock);
        Settler settler = new Settler(caches.shared(), writes, clock, SETTLE_BUDGET);

        CacheComparator comparator =
                new CacheComparator(
                        caches.shared(),
                        writes,
                        settler,
                        queue,
                        clock,
                        random,
                        MOST_COMPARISONS_WAITING,
                        meters);
        EventSources sources = sources(clients, names, log, queue, settler, comparator);
        closing.add(new ComparisonSchedule(comparator, COMPARISONS_PER_SECOND).start());
        DynamoVisitTable visits = new DynamoVisitTable(clients.table(), names);
        AtomicReference<Optional<URI>> shortUrls = new AtomicReference<>(Optional.empty());
        RedirectService service =
                clicks(caches, reads, settler, counter(visits))
                        .showing(new LinkViews(shortUrls::get));
        RedirectListener redirects = redirects(caches, service);
        int port = redirects.address().getPort();
        URI baseUrl = options.baseUrl(port);
        shortUrls.set(
                Optional.of(baseUrl)); // a port that was taken for want of one is known only now
        console.out().println("redirects  listening");
        SweepSchedule sweeps = sweeps(clients, names, settler, caches);
        ControlListener control =
                control(
                        new ControlApi(
                                new WriterPorts(
                                                writes,
                                                caches.shared(),
                                                queue,
                                                clock,
                                                random,
                                                meters)
                                        .withVisits(visits),
                                new DestinationPolicy(List.of(baseUrl.getHost())),
                                baseUrl),
                        log,
                        sweeps,
                        operators,
                        caches,
                        sources);
        console.out().println("control    listening");
        await(sources);
        closing.add(sweeps.start());
        caches.whenUnswept(sweeps::wake);
        closing.add(new WarmUp(visits, service, clock, meters).start());
        data.publish(
                new ServeFile(
                        port,
                        control.port(),
                        ProcessHandle.current().pid(),
                        stores.table(),
                        stores.queue()));
        greet(data, baseUrl, control.port(), firstToken);
    }

    private void create(Clients clients, TableNames names) {
        if (options.createTables()) {
            new LinkTables(clients.table(), names).createIfMissing();
            AuditTables.createIfMissing(clients.table(), options.names().auditTable());
            MissingTables missing = new MissingTables(clients.table());
            missing.create(StreamSource.checkpointTable(names.links() + "-checkpoints"));
            missing.create(DynamoDbFailedBatches.table(names.links() + "-failed"));
            missing.create(DynamoParking.table(names.links() + "-parked"));
        }
        if (options.createQueues()) {
            new QueueResources(clients.queue())
                    .createIfMissing(
                            options.names().auditQueue(), options.names().auditDeadLetters());
        }
    }

    /** In the background: until it is through, the table answers what the cache may not. */
    private SweepSchedule sweeps(
            Clients clients, TableNames names, Settler settler, Caches caches) {
        return new SweepSchedule(
                new Sweep(
                        new DynamoDeathIndex(clients.table(), names),
                        settler,
                        caches.node(),
                        clock,
                        System::nanoTime,
                        SweepSettings.DEFAULT,
                        meters),
                SweepSchedule.EVERY);
    }

    private EventSources sources(
            Clients clients,
            TableNames names,
            AuditLog log,
            AuditQueue queue,
            Settler settler,
            Comparisons comparisons) {
        FailedBatches failed =
                new DynamoDbFailedBatches(
                        clients.table(),
                        names.links() + "-failed",
                        STREAM_CONSUMER,
                        MOST_FAILED_BATCHES,
                        REQUEST);
        StreamSource stream =
                new StreamSource(
                        streamSettings(new LinkTables(clients.table(), names).streamArn()),
                        clients.streams(),
                        clients.table(),
                        names.links() + "-checkpoints",
                        LambdaFunction.of(
                                STREAM_CONSUMER,
                                new StreamHandler(
                                        settler,
                                        queue,
                                        new DynamoParking(
                                                clients.table(), names.links() + "-parked"),
                                        comparisons,
                                        new DynamoVisitTable(clients.table(), names),
                                        meters),
                                DynamodbEvent.class,
                                clock,
                                random),
                        failed,
                        meters,
                        clock,
                        random);
        QueueResources queues = new QueueResources(clients.queue());
        Queue audit = queues.find(options.names().auditQueue());
        Queue dead = queues.find(options.names().auditDeadLetters());
        QueueSource writer =
                new QueueSource(
                        options.queue() == Backend.EMBEDDED
                                ? QueueSettings.local(AUDIT_WRITER, audit.url(), audit.arn())
                                : QueueSettings.aws(AUDIT_WRITER, audit.url(), audit.arn()),
                        clients.queue(),
                        LambdaFunction.of(
                                AUDIT_WRITER,
                                new AuditHandler(log, meters),
                                SQSEvent.class,
                                clock,
                                random),
                        meters,
                        clock,
                        random);
        DeadLetters deadLetters =
                new DeadLetters(
                        clients.queue(),
                        Map.of(
                                dead.name(),
                                new DeadLetters.DeadLetterQueue(dead.url(), audit.url())),
                        Map.of(names.links() + "-failed", failed),
                        REQUEST,
                        DEPTHS,
                        meters);
        EventSources sources = closing.add(new EventSources(List.of(stream, writer), deadLetters));
        sources.start();
        return sources;
    }

    /** A process that alone has the table goes on at once after a crash, under the same name. */
    private StreamSettings streamSettings(String streamArn) {
        return options.table() == Backend.EMBEDDED
                ? StreamSettings.local(STREAM_CONSUMER, "serve", streamArn)
                : StreamSettings.aws(STREAM_CONSUMER, UUID.randomUUID().toString(), streamArn);
    }

    /** Visits are written down after the last click was answered. */
    private VisitCounter counter(DynamoVisitTable visits) {
        VisitCounter counter =
                new VisitCounter(visits, clock, () -> UUID.randomUUID().toString(), meters);
        VisitPace pace = options.table() == Backend.EMBEDDED ? VisitPace.LOCAL : VisitPace.AWS;
        VisitSchedule schedule = new VisitSchedule(counter, pace, System::nanoTime, meters);
        if (options.countVisits()) {
            closing.add(schedule.start());
        }
        return counter;
    }

    private RedirectService clicks(
            Caches caches, DynamoLinkTable table, Settler settler, VisitCounter counter) {
        ExecutorService misses = Executors.newVirtualThreadPerTaskExecutor();
        closing.add(misses::shutdownNow);
        RedirectSettings settings = RedirectSettings.DEFAULT.withGoneStatus(options.goneStatus());
        Supplier<String> ids = () -> UUID.randomUUID().toString();
        LinkCache cache = caches.shared();
        return options.countVisits()
                ? new RedirectService(
                        cache, table, settler, clock, misses, ids, settings, counter, meters)
                : new RedirectService(cache, table, settler, clock, misses, ids, settings, meters);
    }

    private RedirectListener redirects(Caches caches, RedirectService service) throws IOException {
        return closing.add(
                RedirectListener.start(
                        caches.loops(),
                        ListenerSettings.on(options.redirects()),
                        loop -> new RedirectSite(service.lookingThrough(caches.of(loop))),
                        clock,
                        meters));
    }

    private ControlListener control(
            ControlApi api,
            AuditLog log,
            SweepSchedule sweeps,
            Operators operators,
            Caches caches,
            EventSources sources)
            throws IOException {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part("cache", caches::fault));
        for (String source : List.of(STREAM_CONSUMER, AUDIT_WRITER)) {
            parts.add(new Part(source, () -> fault(sources, source)));
        }
        ControlSite site =
                new ControlSite(
                        api,
                        new AuditReader(log),
                        sweeps::sweepNow,
                        token -> operators.authenticate(token).map(Pipeline::caller),
                        parts,
                        meters);
        return closing.add(
                ControlListener.start(
                        site,
                        ControlSettings.on(
                                options.control().getHostString(), options.control().getPort())));
    }

    private static Caller caller(dev.headstone.standalone.operators.Caller holder) {
        Role role =
                switch (holder.role()) {
                    case READER -> Role.READER;
                    case OWNER -> Role.OWNER;
                    case OPERATOR -> Role.OPERATOR;
                };
        return new Caller(holder.name(), role);
    }

    private static Optional<String> fault(EventSources sources, String name) {
        return switch (sources.states().get(name)) {
            case SourceState.Polling _ -> Optional.empty();
            case SourceState.Starting _ -> Optional.of("starting");
            case SourceState.Troubled(String fault, var since) ->
                    Optional.of(fault + " since " + since);
            case SourceState.Stopped _ -> Optional.of("stopped");
            case null -> Optional.of("unknown");
        };
    }

    private static void await(EventSources sources) throws IOException, InterruptedException {
        long end = System.nanoTime() + SOURCES_READY.toNanos();
        for (String name : List.of(STREAM_CONSUMER, AUDIT_WRITER)) {
            while (fault(sources, name).isPresent()) {
                if (System.nanoTime() - end > 0) {
                    throw new IOException(
                            name + " is not ready: " + fault(sources, name).orElse(""));
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    private void greet(DataDirectory data, URI baseUrl, int controlPort, Optional<String> token) {
        console.out().println("consumer   polling the stream");
        console.out().println("audit      polling the queue");
        console.out().println();
        console.out().println("short URLs " + baseUrl + "/{code}");
        console.out()
                .println(
                        "control    http://"
                                + options.control().getHostString()
                                + ":"
                                + controlPort);
        console.out()
                .println(
                        "data       "
                                + (options.inMemory()
                                        ? "in memory, nothing is kept"
                                        : data.path()));
        token.ifPresent(
                issued ->
                        console.out()
                                .println("token      " + issued + "  (operator; shown this once)"));
        console.out().println("ready");
        console.out().flush();
    }

    @Override
    public void close() {
        running.ifPresent(Stores::expectEnd);
        closing.close();
    }
}
