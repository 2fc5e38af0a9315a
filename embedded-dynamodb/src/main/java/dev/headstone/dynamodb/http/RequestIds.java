package dev.headstone.dynamodb.http;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Ids of requests, in the form the service gives them: 52 digits and capital letters. */
final class RequestIds {
    private static final int LENGTH = 52;
    private static final int RADIX = 36;

    private final String prefix;
    private final AtomicLong next = new AtomicLong();

    RequestIds(RandomGenerator random) {
        prefix = Long.toUnsignedString(random.nextLong(), RADIX).toUpperCase(Locale.ROOT);
    }

    String next() {
        String number = Long.toString(next.getAndIncrement(), RADIX).toUpperCase(Locale.ROOT);
        return prefix + "0".repeat(LENGTH - prefix.length() - number.length()) + number;
    }
}
