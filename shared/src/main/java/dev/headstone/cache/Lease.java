package dev.headstone.cache;

import dev.headstone.link.ShortCode;

/** The right to write one key, once, taken before the table was consulted. */
public record Lease(ShortCode code, String token) {}
