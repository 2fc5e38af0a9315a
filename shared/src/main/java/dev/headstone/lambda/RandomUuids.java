package dev.headstone.lambda;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Random UUIDs of a source that is known: {@link UUID#randomUUID} has one of its own, which would
 * be in a snapshot. As safe for several threads as its source is.
 */
public record RandomUuids(SecureRandom random) implements Supplier<String> {
    private static final long VERSION_MASK = 0xffff_ffff_ffff_0fffL;
    private static final long VERSION_4 = 0x4000L;
    private static final long VARIANT_MASK = 0x3fff_ffff_ffff_ffffL;
    private static final long VARIANT_2 = 0x8000_0000_0000_0000L;

    @Override
    public String get() {
        return new UUID(
                        (random.nextLong() & VERSION_MASK) | VERSION_4,
                        (random.nextLong() & VARIANT_MASK) | VARIANT_2)
                .toString();
    }
}
