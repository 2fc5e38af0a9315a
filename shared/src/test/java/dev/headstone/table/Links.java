package dev.headstone.table;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing.Alive;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Links that tests may start from. */
public final class Links {
    /** When they were created. */
    public static final Instant NOW = Instant.ofEpochMilli(1_795_000_000_123L);

    private Links() {}

    /** A live link with every attribute. */
    public static Link full(ShortCode code) {
        return link(
                code,
                NOW,
                Optional.of(NOW.plusSeconds(86_400)),
                Optional.of("alice"),
                List.of("spring", "mail"),
                OptionalLong.of(100));
    }

    /** A live link with the necessary attributes only. */
    public static Link plain(ShortCode code) {
        return createdAt(code, NOW);
    }

    /** A live link that was created then. */
    public static Link createdAt(ShortCode code, Instant created) {
        return link(
                code, created, Optional.empty(), Optional.empty(), List.of(), OptionalLong.empty());
    }

    /** A live link that ends at {@code expiresAt}. */
    public static Link expiring(ShortCode code, Instant expiresAt) {
        return link(
                code,
                NOW,
                Optional.of(expiresAt),
                Optional.empty(),
                List.of(),
                OptionalLong.empty());
    }

    /** A live link that is good for {@code visits} redirects. */
    public static Link limited(ShortCode code, long visits) {
        return link(
                code, NOW, Optional.empty(), Optional.empty(), List.of(), OptionalLong.of(visits));
    }

    private static Link link(
            ShortCode code,
            Instant created,
            Optional<Instant> expiresAt,
            Optional<String> owner,
            List<String> tags,
            OptionalLong visitLimit) {
        return new Link(
                code,
                Optional.of("https://example.com/" + code),
                Optional.of("example.com"),
                new Alive(),
                1,
                created,
                new LastChange(
                        created,
                        "alice",
                        Optional.empty(),
                        "by-" + kind(owner, visitLimit) + "-" + code),
                expiresAt,
                Freshness.purgeOfLive(expiresAt),
                owner,
                tags,
                visitLimit,
                0);
    }

    private static String kind(Optional<String> owner, OptionalLong visitLimit) {
        return owner.orElse(visitLimit.isPresent() ? "limited" : "plain");
    }
}
