package dev.headstone.infra;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Every function that is deployed: the module whose jar it is in, its entry point, and what it may
 * take. The only place that names them.
 */
enum FunctionKind {
    /** Answers clicks. Not reserved: it gets what the account has left. */
    REDIRECT(
            "redirect-handler",
            "dev.headstone.redirect.RedirectLambda",
            1024,
            Duration.ofSeconds(5),
            OptionalInt.empty(),
            true),
    /** Creates, shows and changes links. */
    LINK_API(
            "link-writer",
            "dev.headstone.writer.LinkApiLambda",
            1024,
            Duration.ofSeconds(15),
            OptionalInt.empty(),
            true),
    /** Takes down, restores and confirms, for operators. A flood of creates cannot starve it. */
    TAKEDOWN(
            "link-writer",
            "dev.headstone.writer.TakedownLambda",
            1024,
            Duration.ofSeconds(15),
            OptionalInt.of(10),
            true),
    /** Writes and confirms the tombstone of a death that is in the table. */
    INVALIDATION(
            "link-writer",
            "dev.headstone.writer.InvalidationLambda",
            1024,
            Duration.ofSeconds(15),
            OptionalInt.of(20),
            true),
    /** Repairs the cache from the stream of changes. */
    STREAM(
            "stream-consumer",
            "dev.headstone.stream.StreamLambda",
            1024,
            Duration.ofSeconds(60),
            OptionalInt.of(50),
            true),
    /** Settles again what died lately. One at a time: a second one would only repeat it. */
    SWEEP(
            "stream-consumer",
            "dev.headstone.stream.SweepLambda",
            1024,
            Duration.ofMinutes(5),
            OptionalInt.of(1),
            true),
    /** Looks whether the cache agrees with the table. Few at a time: it is a load on both. */
    COMPARATOR(
            "stream-consumer",
            "dev.headstone.stream.ComparatorLambda",
            1024,
            Duration.ofSeconds(60),
            OptionalInt.of(5),
            true),
    /** Records audit events. Needs neither the cache nor, for that, the network of the cache. */
    AUDIT(
            "audit-writer",
            "dev.headstone.auditlog.AuditHandler",
            1024,
            Duration.ofSeconds(30),
            OptionalInt.of(20),
            false);

    private final String module;
    private final String handler;
    private final int memoryMiB;
    private final Duration timeout;
    private final OptionalInt reserved;
    private final boolean usesCache;

    FunctionKind(
            String module,
            String handler,
            int memoryMiB,
            Duration timeout,
            OptionalInt reserved,
            boolean usesCache) {
        this.module = module;
        this.handler = handler;
        this.memoryMiB = memoryMiB;
        this.timeout = timeout;
        this.reserved = reserved;
        this.usesCache = usesCache;
    }

    /** The module whose {@code -lambda.jar} holds it. */
    String module() {
        return module;
    }

    /** The class that Lambda calls. */
    String handler() {
        return handler;
    }

    int memoryMiB() {
        return memoryMiB;
    }

    Duration timeout() {
        return timeout;
    }

    /**
     * How many of it run at once at most, and can run however busy the others are; empty where it
     * shares what is left.
     */
    OptionalInt reserved() {
        return reserved;
    }

    /** Whether it speaks to the cache, and so lives in its network. */
    boolean usesCache() {
        return usesCache;
    }

    /** The name in templates, such as {@code LinkApi}. */
    String id() {
        StringBuilder id = new StringBuilder();
        for (String word : name().split("_", -1)) {
            id.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return id.toString();
    }
}
