package dev.headstone.proof.script;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * As much of a Redis as the script touches: keys with a type, a value and an end. For one thread;
 * its time stands still until somebody sets it.
 */
public final class MemoryRedis {
    /** What lies under a key. */
    public sealed interface Value {
        /**
         * A string.
         *
         * @param bytes one character for each byte
         */
        record Text(String bytes) implements Value {}

        /**
         * Something that is no string.
         *
         * @param type as {@code TYPE} names it
         */
        record Foreign(String type) implements Value {}
    }

    /**
     * A key.
     *
     * @param until its end in the server's time, milliseconds; empty if it has none
     */
    public record Entry(Value value, Optional<Long> until) {}

    private final Map<String, Entry> keys = new HashMap<>();
    private long now;

    /** Lets it be {@code millis}; keys that end by then are gone. */
    public void time(long millis) {
        now = millis;
    }

    /** Puts a key, or takes it away. */
    public void put(String key, Optional<Entry> entry) {
        if (entry.isPresent()) {
            keys.put(key, entry.get());
        } else {
            keys.remove(key);
        }
    }

    /** What lies under {@code key}. */
    public Optional<Entry> get(String key) {
        return Optional.ofNullable(alive(key));
    }

    private @Nullable Entry alive(String key) {
        Entry entry = keys.get(key);
        return entry == null || (entry.until().isPresent() && entry.until().get() <= now)
                ? null
                : entry;
    }

    /** {@code TYPE}. */
    String type(String key) {
        Entry entry = alive(key);
        if (entry == null) {
            return "none";
        }
        return switch (entry.value()) {
            case Value.Text _ -> "string";
            case Value.Foreign(String type) -> type;
        };
    }

    /**
     * {@code GET} of a string; empty if there is none.
     *
     * @throws IllegalStateException if it is no string: a Redis answers WRONGTYPE
     */
    Optional<String> text(String key) {
        Entry entry = alive(key);
        if (entry == null) {
            return Optional.empty();
        }
        return switch (entry.value()) {
            case Value.Text(String bytes) -> Optional.of(bytes);
            case Value.Foreign _ -> throw new IllegalStateException("WRONGTYPE");
        };
    }

    /**
     * {@code SET key value PX life}.
     *
     * @throws IllegalArgumentException if the life is not positive, which a Redis refuses
     */
    void set(String key, String bytes, long life) {
        if (life <= 0) {
            throw new IllegalArgumentException("invalid expire time in 'set' command");
        }
        keys.put(key, new Entry(new Value.Text(bytes), Optional.of(now + life)));
    }

    /** {@code DEL}. */
    void delete(String key) {
        keys.remove(key);
    }
}
