package dev.headstone.proof.model;

import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.CacheRecord.Tombstone;
import dev.headstone.proof.script.MemoryRedis.Entry;
import dev.headstone.proof.script.MemoryRedis.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The node of a cache as 16 bits: what lies under the record's key (8), whose lease there is (6),
 * and for which run a sweep has been through (2).
 */
final class CacheNodes {
    /** No such node. */
    static final int MISSING = 0xFFFF;

    /** An empty key's number. */
    static final int EMPTY = 0;

    private static final int MOST_KEYS = 255;

    private final Numbers<Optional<Entry>> keys = new Numbers<>("values of a key", MOST_KEYS);
    private final Numbers<Object> answers;
    private final Numbers<Call> calls;
    private final Settling settling = new Settling();
    private final Map<Long, Integer> settled = new HashMap<>();
    private final long[] times;
    private final int[] lookups = new int[MOST_KEYS];
    private final long[] usableUntil = new long[MOST_KEYS];
    private final boolean[] active = new boolean[MOST_KEYS];

    /**
     * @param times the instants that the world goes through; if it is one, no key ends
     */
    CacheNodes(Numbers<Object> answers, Numbers<Call> calls, long[] times) {
        this.answers = answers;
        this.calls = calls;
        this.times = times.clone();
        key(Optional.empty());
    }

    static int of(int key, int token, int mark) {
        return key | token << 8 | mark << 14;
    }

    static int key(int node) {
        return node & 0xFF;
    }

    static int token(int node) {
        return node >>> 8 & 0x3F;
    }

    static int mark(int node) {
        return node >>> 14;
    }

    static int withKey(int node, int key) {
        return (node & ~0xFF) | key;
    }

    static int withToken(int node, int token) {
        return (node & ~(0x3F << 8)) | token << 8;
    }

    static int withMark(int node, int mark) {
        return (node & 0x3FFF) | mark << 14;
    }

    /** The number of what lies under a key. */
    int key(Optional<Entry> entry) {
        int size = keys.size();
        int number = keys.of(times.length > 1 ? entry : entry.map(CacheNodes::withoutEnd));
        if (number == size) {
            describe(number);
        }
        return number;
    }

    private static Entry withoutEnd(Entry entry) {
        return new Entry(entry.value(), Optional.empty());
    }

    private void describe(int number) {
        Optional<Value> value = keys.get(number).map(Entry::value);
        Optional<CacheRecord> record = value.flatMap(Settling::record);
        CacheLookup lookup =
                value.isEmpty()
                        ? new CacheLookup.Absent()
                        : record.<CacheLookup>map(CacheLookup.Found::new)
                                .orElseGet(CacheLookup.Unreadable::new);
        lookups[number] = answers.of(lookup);
        active[number] = record.orElse(null) instanceof Active;
        usableUntil[number] = record.map(found -> found.staleUntil().toEpochMilli()).orElse(0L);
    }

    /** The number of what a look finds. */
    int lookup(int node) {
        return lookups[key(node)];
    }

    /** Whether there is a record that leads on, or may while the table fails. */
    boolean isActive(int node, long now) {
        return active[key(node)] && now < usableUntil[key(node)];
    }

    /** Whether there is a tombstone that is heeded. */
    boolean isTombstone(int node, long now) {
        return !active[key(node)] && now < usableUntil[key(node)];
    }

    /** The node without what has ended by then. */
    int at(int node, long now) {
        boolean ended =
                keys.get(key(node)).flatMap(Entry::until).filter(until -> until <= now).isPresent();
        return ended ? withKey(node, EMPTY) : node;
    }

    /** Settles; gives the node in the low half and the number of the answer in the high one. */
    int settle(int node, int call, int time) {
        long asked = (long) time << 32 | (long) call << 16 | (node & 0x3FFF);
        Integer known = settled.get(asked);
        if (known == null) {
            known = settleAnew(node, (Call.Settle) calls.get(call), times[time]);
            settled.put(asked, known);
        }
        return (known & ~0xC000) | (node & 0xC000);
    }

    private int settleAnew(int node, Call.Settle call, long now) {
        int token = token(node);
        Optional<String> held =
                token == Tokens.NONE ? Optional.empty() : Optional.of(Tokens.text(token));
        Settling.Done done = settling.settle(keys.get(key(node)), held, call, now);
        int after = of(key(done.key()), done.leaseHeld() ? token : Tokens.NONE, 0);
        return answers.of(done.outcome()) << 16 | after;
    }

    /** What lies there, in words. */
    String words(int node) {
        Optional<Value> value = keys.get(key(node)).map(Entry::value);
        if (value.isEmpty()) {
            return "nothing";
        }
        return value.flatMap(Settling::record)
                .map(CacheNodes::describe)
                .orElse("something that is no record");
    }

    private static String describe(CacheRecord record) {
        return switch (record) {
            case Active active -> "live v" + active.stamp().version();
            case Tombstone tombstone -> "tombstone v" + tombstone.stamp().version();
        };
    }
}
