package dev.headstone.proof.model;

import dev.headstone.audit.AuditQueue;
import dev.headstone.cache.LinkCache;
import dev.headstone.cache.SettleScript;
import dev.headstone.table.LinkTable;
import java.util.EnumSet;
import java.util.Set;

/**
 * What stands between the shipped code and the world. As shipped, nothing does; a mutant puts
 * something there that breaks one rule of the protocol.
 *
 * @param script the text that settles
 * @param cache what is put in front of the cache
 * @param table what is put in front of the table
 * @param queue what is put in front of the audit queue
 * @param off what the world itself does otherwise
 */
record Rules(String script, CacheRule cache, TableRule table, QueueRule queue, Set<Off> off) {
    /** As shipped. */
    static final Rules SHIPPED =
            new Rules(
                    SettleScript.text(),
                    (_, cache) -> cache,
                    (_, table, _) -> table,
                    (_, queue) -> queue,
                    EnumSet.noneOf(Off.class));

    Rules {
        off = off.isEmpty() ? EnumSet.noneOf(Off.class) : EnumSet.copyOf(off);
    }

    /** Puts something in front of the cache. */
    @FunctionalInterface
    interface CacheRule {
        LinkCache of(Party party, CachePort cache);
    }

    /** Puts something in front of the table. */
    @FunctionalInterface
    interface TableRule {
        /**
         * The table that stands there then.
         *
         * @param actor what the actor itself knows
         */
        LinkTable of(Party party, LinkTable table, Knowledge actor);
    }

    /** Puts something in front of the audit queue. */
    @FunctionalInterface
    interface QueueRule {
        AuditQueue of(Party party, AuditQueue queue);
    }

    /** What a rule may know of the run it works in. */
    interface Knowledge {
        /** The record that a consumer was handed. */
        Delivery delivery();

        /** Whether the second click of a process is there already. */
        boolean hasJoined();
    }

    /** What the world does not do, or does. */
    enum Off {
        /** Hits are used whatever run the cache is in. */
        TRUST,
        /** Reads of the table may return an item from before the last changes. */
        CONSISTENT_READS,
        /** The sweep reads an index that may lag. */
        CONSISTENT_INDEX,
        /** A command that was answered may be sent once more, later, by the client itself. */
        NO_REPLAY
    }

    Rules script(String text) {
        return new Rules(text, cache, table, queue, off);
    }

    Rules cache(CacheRule rule) {
        return new Rules(script, rule, table, queue, off);
    }

    Rules table(TableRule rule) {
        return new Rules(script, cache, rule, queue, off);
    }

    Rules queue(QueueRule rule) {
        return new Rules(script, cache, table, rule, off);
    }

    Rules off(Off what) {
        Set<Off> more = EnumSet.of(what);
        more.addAll(off);
        return new Rules(script, cache, table, queue, more);
    }
}
