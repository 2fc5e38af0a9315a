package dev.headstone.writer;

import dev.headstone.audit.AuditQueue;
import dev.headstone.cache.LinkCache;
import dev.headstone.table.LinkTable;
import dev.headstone.table.VisitTable;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What the services of this module stand on. Everything in it may be used by several threads.
 *
 * @param random unpredictable in production, for it makes codes and ids
 * @param meters where all figures of the module are registered, from the start
 * @param visits where visits are counted; empty where nobody counts them
 */
public record WriterPorts(
        LinkTable table,
        LinkCache cache,
        AuditQueue queue,
        InstantSource clock,
        RandomGenerator random,
        MeterRegistry meters,
        Optional<VisitTable> visits) {
    /** Without counted visits. */
    public WriterPorts(
            LinkTable table,
            LinkCache cache,
            AuditQueue queue,
            InstantSource clock,
            RandomGenerator random,
            MeterRegistry meters) {
        this(table, cache, queue, clock, random, meters, Optional.empty());
    }

    /** The same with counted visits. */
    public WriterPorts withVisits(VisitTable counted) {
        return new WriterPorts(table, cache, queue, clock, random, meters, Optional.of(counted));
    }
}
