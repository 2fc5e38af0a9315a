package dev.headstone.writer;

import dev.headstone.audit.AuditQueue;
import dev.headstone.cache.LinkCache;
import dev.headstone.table.LinkTable;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What the services of this module stand on. Everything in it may be used by several threads.
 *
 * @param random unpredictable in production, for it makes codes and ids
 * @param meters where all figures of the module are registered, from the start
 */
public record WriterPorts(
        LinkTable table,
        LinkCache cache,
        AuditQueue queue,
        InstantSource clock,
        RandomGenerator random,
        MeterRegistry meters) {}
