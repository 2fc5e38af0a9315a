package dev.headstone.writer;

import com.google.common.collect.ImmutableSet;
import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the bodies of requests that write: strict JSON, and every field within its bounds. What a
 * caller may do, or what the table says, is decided elsewhere.
 *
 * <p>Immutable, so any thread may use it. No method throws for what a body contains.
 */
public final class RequestBodies {
    /** The largest body that is looked at: 64 KiB. */
    public static final int MAX_BYTES = 65_536;

    /** The largest {@code visit_limit}. */
    public static final long MAX_VISIT_LIMIT = 1_000_000_000;

    /** Most tags a link may have. */
    public static final int MAX_TAGS = 20;

    /** The last instant that is 13 digits of epoch milliseconds, in the year 2286. */
    static final Instant LATEST = Instant.ofEpochMilli(9_999_999_999_999L);

    private static final ImmutableSet<String> CREATE =
            ImmutableSet.of("long_url", "alias", "expires_at", "visit_limit", "owner", "tags");
    private static final ImmutableSet<String> CHANGE =
            ImmutableSet.of("state", "expires_at", "tags");
    private static final ImmutableSet<String> REASON = ImmutableSet.of("reason");
    private static final ImmutableSet<String> CONFIRM = ImmutableSet.of();

    private final DestinationPolicy destinations;

    /**
     * @param destinations decides about each {@code long_url}
     */
    public RequestBodies(DestinationPolicy destinations) {
        this.destinations = destinations;
    }

    /**
     * Reads the body of a create. A field that is null counts as left out, since programs send what
     * they have not that way.
     *
     * <p>A repeated create is to be recognized by its bytes before it is read: once its {@code
     * expires_at} has passed, it is no longer acceptable as a new one.
     */
    public Reading<CreateRequest> create(byte[] body, Instant now) {
        return reading(body, () -> create(JsonFields.read(body, CREATE), now));
    }

    /** Reads the body of a takedown or a restore: the reason for it. */
    public Reading<Reason> reason(byte[] body) {
        return reading(body, () -> Reason.from(JsonFields.read(body, REASON), "reason"));
    }

    /** Reads the body of a confirm, which may be left out. */
    public Reading<ConfirmRequest> confirm(byte[] body) {
        return reading(
                body,
                () -> {
                    if (body.length > 0) {
                        JsonFields.read(body, CONFIRM);
                    }
                    return new ConfirmRequest();
                });
    }

    /**
     * Reads the body of a {@code PATCH}: either {@code state} alone, or one or both of {@code
     * expires_at} and {@code tags}.
     */
    public Reading<ChangeRequest> change(byte[] body, Instant now) {
        return reading(body, () -> change(JsonFields.read(body, CHANGE), now));
    }

    /** A body's meaning, or its first fault. */
    private interface Content<T> {
        T read() throws Refusal;
    }

    private static <T> Reading<T> reading(byte[] body, Content<T> content) {
        if (body.length > MAX_BYTES) {
            return new Reading.TooLarge<>();
        }
        try {
            return new Reading.Valid<>(content.read());
        } catch (Refusal refusal) {
            return refusal.asReading();
        }
    }

    private CreateRequest create(JsonFields fields, Instant now) throws Refusal {
        return new CreateRequest(
                destination(fields),
                alias(fields),
                expiresAt(fields, now),
                fields.wholeNumber("visit_limit", 1, MAX_VISIT_LIMIT),
                owner(fields),
                tags(fields).orElse(List.of()));
    }

    private Destination.Accepted destination(JsonFields fields) throws Refusal {
        Optional<String> longUrl = fields.text("long_url");
        if (longUrl.isEmpty()) {
            throw new Refusal("long_url", "A link must have a destination.");
        }
        return switch (destinations.judge(longUrl.get())) {
            case Destination.Accepted accepted -> accepted;
            case Destination.Refused(String why) -> throw new Refusal("long_url", why);
        };
    }

    private static Optional<ShortCode> alias(JsonFields fields) throws Refusal {
        Optional<String> alias = fields.text("alias");
        if (alias.isEmpty()) {
            return Optional.empty();
        }
        Optional<ShortCode> code = ShortCode.parse(alias.get());
        if (code.isEmpty()) {
            throw new Refusal(
                    "alias", "An alias must be 3 to 32 characters of A-Z, a-z, 0-9, _ and -.");
        }
        if (ReservedCodes.contains(code.get())) {
            throw new Refusal("alias", "This alias is reserved for the service itself.");
        }
        return code;
    }

    private static Optional<Instant> expiresAt(JsonFields fields, Instant now) throws Refusal {
        Optional<String> text = fields.text("expires_at");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> instant = Rfc3339.parse(text.get());
        if (instant.isEmpty()) {
            throw new Refusal(
                    "expires_at",
                    "A time must be RFC 3339 with an offset, such as 2031-12-31T23:59:59Z.");
        }
        if (!instant.get().isAfter(now) || instant.get().isAfter(LATEST)) {
            throw new Refusal(
                    "expires_at",
                    "A link must expire in the future, at the latest in the year 2286.");
        }
        return instant;
    }

    private static Optional<String> owner(JsonFields fields) throws Refusal {
        Optional<String> owner = fields.text("owner");
        if (owner.isPresent()) {
            refuseUnlessLabel("owner", owner.get());
        }
        return owner;
    }

    private static Optional<List<String>> tags(JsonFields fields) throws Refusal {
        Optional<List<String>> tags = fields.texts("tags", MAX_TAGS);
        Set<String> seen = new HashSet<>();
        for (String tag : tags.orElse(List.of())) {
            String field = JsonFields.element("tags", seen.size());
            refuseUnlessLabel(field, tag);
            if (!seen.add(tag)) {
                throw new Refusal(field, "A tag may be given only once.");
            }
        }
        return tags;
    }

    private static void refuseUnlessLabel(String field, String text) throws Refusal {
        if (!Label.hasForm(text)) {
            throw new Refusal(field, Label.RULE);
        }
    }

    private static ChangeRequest change(JsonFields fields, Instant now) throws Refusal {
        if (fields.isEmpty()) {
            throw new Refusal(null, "A change must name state, or else expires_at, tags or both.");
        }
        if (!fields.has("state")) {
            return new ChangeRequest.Alter(expiry(fields, now), newTags(fields));
        }
        if (fields.has("expires_at") || fields.has("tags")) {
            throw new Refusal("state", "A change of state must be made by itself.");
        }
        return switch (fields.text("state").orElse("")) {
            case "deactivated" -> new ChangeRequest.Deactivate();
            case "active" -> new ChangeRequest.Reactivate();
            default ->
                    throw new Refusal(
                            "state", "The state may be changed to active or deactivated.");
        };
    }

    private static ChangeRequest.Expiry expiry(JsonFields fields, Instant now) throws Refusal {
        if (!fields.has("expires_at")) {
            return new ChangeRequest.KeepExpiry();
        }
        return expiresAt(fields, now)
                .<ChangeRequest.Expiry>map(ChangeRequest.ExpireAt::new)
                .orElseGet(ChangeRequest.NeverExpire::new);
    }

    private static Optional<List<String>> newTags(JsonFields fields) throws Refusal {
        Optional<List<String>> tags = tags(fields);
        if (tags.isEmpty() && fields.has("tags")) {
            throw new Refusal("tags", "Tags must be a list; an empty one removes them.");
        }
        return tags;
    }
}
