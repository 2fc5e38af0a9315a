package dev.headstone.proof.model;

import dev.headstone.cache.CacheKeys;
import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.CacheRecordJson;
import dev.headstone.cache.SettleOutcome;
import dev.headstone.cache.SettleScript;
import dev.headstone.link.Stamp;
import dev.headstone.proof.script.MemoryRedis;
import dev.headstone.proof.script.MemoryRedis.Entry;
import dev.headstone.proof.script.MemoryRedis.Value;
import dev.headstone.proof.script.ScriptReply;
import dev.headstone.proof.script.SettleInterpreter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs settlements by the interpreter, each combination of node, time and call once. */
final class Settling {
    private static final String URL = CacheKeys.record(Programs.CODE);
    private static final String LEASE = CacheKeys.lease(Programs.CODE);

    /** What a settlement did: the record's key as it lies there now, and whether a lease does. */
    record Done(Optional<Entry> key, boolean leaseHeld, SettleOutcome outcome) {}

    private final Map<String, SettleInterpreter> scripts = new HashMap<>();

    /** Settles on a node that holds {@code key} and, if any, a lease of that token. */
    Done settle(Optional<Entry> key, Optional<String> token, Call.Settle call, long now) {
        MemoryRedis redis = new MemoryRedis();
        redis.time(now);
        redis.put(URL, key);
        redis.put(LEASE, token.map(text -> new Entry(new Value.Text(text), Optional.empty())));
        ScriptReply reply =
                scripts.computeIfAbsent(call.script(), SettleInterpreter::new)
                        .run(redis, List.of(URL, LEASE), arguments(call));
        SettleOutcome outcome =
                reply.refused()
                        ? new SettleOutcome.Refused()
                        : new SettleOutcome.Accepted(Stamp.parse(reply.stamp()));
        return new Done(redis.get(URL), redis.get(LEASE).isPresent(), outcome);
    }

    private static List<String> arguments(Call.Settle call) {
        return Arrays.stream(SettleScript.arguments(call.lease().token(), call.settlement()))
                .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                .toList();
    }

    /** The record that {@code value} is, if it is readable. */
    static Optional<CacheRecord> record(Value value) {
        return switch (value) {
            case Value.Text(String bytes) ->
                    CacheRecordJson.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
            case Value.Foreign _ -> Optional.empty();
        };
    }
}
