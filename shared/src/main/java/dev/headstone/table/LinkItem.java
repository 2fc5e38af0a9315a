package dev.headstone.table;

import dev.headstone.audit.Trace;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A link as an item of the table, there and back. Reading is total: what is no link says why. */
public final class LinkItem {
    static final String CODE = "short_code";
    static final String LONG_URL = "long_url";
    static final String HOST = "host";
    static final String ACTIVE = "is_active";
    static final String CAUSE = "cause";
    static final String VERSION = "version";
    static final String CREATED_AT = "created_at";
    static final String CHANGED_AT = "changed_at";
    static final String CHANGED_BY = "changed_by";
    static final String CHANGE_REASON = "change_reason";
    static final String CHANGE_ID = "change_id";
    static final String CHANGE_TRACE = "change_trace";
    static final String EXPIRES_AT = "expires_at";
    static final String DELETED_AT = "deleted_at";
    static final String PURGE_AT = "purge_at";
    static final String OWNER = "owner";
    static final String TAGS = "tags";
    static final String VISIT_LIMIT = "visit_limit";
    static final String VISITS = "visits";

    private static final long LARGEST_EPOCH_MILLI = 9_999_999_999_999L;

    private LinkItem() {}

    /** The item of {@code link}, without attributes that would be empty. */
    public static Map<String, AttributeValue> of(Link link) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put(CODE, text(link.code().value()));
        link.longUrl().ifPresent(url -> item.put(LONG_URL, text(url)));
        link.host().ifPresent(host -> item.put(HOST, text(host)));
        item.put(VERSION, number(link.version()));
        item.put(CREATED_AT, number(link.epoch()));
        link.owner().ifPresent(owner -> item.put(OWNER, text(owner)));
        link.visitLimit().ifPresent(limit -> item.put(VISIT_LIMIT, number(limit)));
        if (link.visits() > 0) {
            item.put(VISITS, number(link.visits()));
        }
        state(link)
                .forEach(
                        (name, value) -> {
                            if (value != null) {
                                item.put(name, value);
                            }
                        });
        return item;
    }

    /**
     * The attributes that a change of state may alter, with null for those that must go. The
     * version is not among them.
     */
    static Map<String, @Nullable AttributeValue> state(Link link) {
        Map<String, @Nullable AttributeValue> state = new HashMap<>();
        switch (link.standing()) {
            case Alive _ -> {
                state.put(ACTIVE, AttributeValue.fromBool(true));
                state.put(CAUSE, null);
                state.put(DELETED_AT, null);
            }
            case Dead(Cause cause, Instant deletedAt) -> {
                state.put(ACTIVE, AttributeValue.fromBool(false));
                state.put(CAUSE, text(cause.wireName()));
                state.put(DELETED_AT, number(deletedAt.toEpochMilli()));
            }
        }
        LastChange change = link.lastChange();
        state.put(CHANGED_AT, number(change.at().toEpochMilli()));
        state.put(CHANGED_BY, text(change.by()));
        state.put(CHANGE_ID, text(change.id()));
        state.put(CHANGE_TRACE, change.trace().map(LinkItem::text).orElse(null));
        state.put(CHANGE_REASON, change.reason().map(LinkItem::text).orElse(null));
        state.put(EXPIRES_AT, link.expiresAt().map(at -> number(at.toEpochMilli())).orElse(null));
        state.put(PURGE_AT, link.purgeAt().map(at -> number(at.getEpochSecond())).orElse(null));
        state.put(
                TAGS,
                link.tags().isEmpty()
                        ? null
                        : AttributeValue.fromL(link.tags().stream().map(LinkItem::text).toList()));
        return state;
    }

    /** The link that {@code item} is, or why it is none. */
    public static TableRead read(Map<String, AttributeValue> item) {
        try {
            return new TableRead.Found(link(new Attributes(item)));
        } catch (Attributes.Fault fault) {
            return new TableRead.Unreadable(fault.getMessage());
        }
    }

    private static Link link(Attributes item) {
        boolean active = item.bool(ACTIVE);
        long created = item.epochMilli(CREATED_AT);
        Instant changedAt =
                Instant.ofEpochMilli(item.optionalEpochMilli(CHANGED_AT).orElse(created));
        ShortCode code =
                ShortCode.parse(item.required(CODE)).orElseThrow(() -> Attributes.fault(CODE));
        Optional<String> longUrl =
                active ? Optional.of(item.required(LONG_URL)) : item.lenientText(LONG_URL);
        return new Link(
                code,
                longUrl,
                item.lenientText(HOST),
                active ? new Alive() : dead(item, changedAt),
                item.positive(VERSION),
                Instant.ofEpochMilli(created),
                new LastChange(
                        changedAt,
                        item.lenientText(CHANGED_BY).orElse("unknown"),
                        item.lenientText(CHANGE_REASON),
                        item.lenientText(CHANGE_ID).orElse(""),
                        item.lenientText(CHANGE_TRACE).filter(Trace::isRoot)),
                instant(item.optionalEpochMilli(EXPIRES_AT)),
                item.optionalEpochSecond(PURGE_AT),
                item.lenientText(OWNER),
                item.texts(TAGS),
                item.optionalPositive(VISIT_LIMIT),
                item.optionalNotNegative(VISITS).orElse(0));
    }

    /** Dead is dead: an unknown cause or a missing date must not let a link come alive again. */
    private static Standing dead(Attributes item, Instant changedAt) {
        Cause cause = item.lenientText(CAUSE).flatMap(Cause::of).orElse(Cause.TAKEDOWN);
        return new Dead(cause, instant(item.optionalEpochMilli(DELETED_AT)).orElse(changedAt));
    }

    private static Optional<Instant> instant(OptionalLong epochMilli) {
        return epochMilli.isPresent()
                ? Optional.of(Instant.ofEpochMilli(epochMilli.getAsLong()))
                : Optional.empty();
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    /** Typed access to an item, which names what is at fault. */
    private record Attributes(Map<String, AttributeValue> item) {
        /** An attribute that has not the right type or range. */
        private static final class Fault extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private Fault(String message) {
                super(message, null, false, false);
            }

            @Override
            public String getMessage() {
                return String.valueOf(super.getMessage());
            }
        }

        static Fault fault(String name) {
            return new Fault("attribute '" + name + "' is missing or malformed");
        }

        private @Nullable AttributeValue present(String name) {
            AttributeValue value = item.get(name);
            return value == null || value.type() == AttributeValue.Type.NUL ? null : value;
        }

        String required(String name) {
            return lenientText(name).orElseThrow(() -> fault(name));
        }

        /** The text, or empty if there is none of that type. */
        Optional<String> lenientText(String name) {
            AttributeValue value = present(name);
            return value != null && value.s() != null ? Optional.of(value.s()) : Optional.empty();
        }

        boolean bool(String name) {
            AttributeValue value = present(name);
            if (value == null || value.bool() == null) {
                throw fault(name);
            }
            return value.bool();
        }

        OptionalLong optionalNotNegative(String name) {
            AttributeValue value = present(name);
            if (value == null) {
                return OptionalLong.empty();
            }
            if (value.n() == null) {
                throw fault(name);
            }
            try {
                long number = new java.math.BigDecimal(value.n()).longValueExact();
                if (number < 0) {
                    throw fault(name);
                }
                return OptionalLong.of(number);
            } catch (ArithmeticException | NumberFormatException _) {
                throw fault(name);
            }
        }

        OptionalLong optionalPositive(String name) {
            OptionalLong number = optionalNotNegative(name);
            if (number.isPresent() && number.getAsLong() == 0) {
                throw fault(name);
            }
            return number;
        }

        long positive(String name) {
            return optionalPositive(name).orElseThrow(() -> fault(name));
        }

        OptionalLong optionalEpochMilli(String name) {
            OptionalLong number = optionalNotNegative(name);
            if (number.isPresent() && number.getAsLong() > LARGEST_EPOCH_MILLI) {
                throw fault(name);
            }
            return number;
        }

        long epochMilli(String name) {
            return optionalEpochMilli(name).orElseThrow(() -> fault(name));
        }

        Optional<Instant> optionalEpochSecond(String name) {
            OptionalLong number = optionalNotNegative(name);
            if (number.isPresent() && number.getAsLong() > LARGEST_EPOCH_MILLI / 1000) {
                throw fault(name);
            }
            return number.isPresent()
                    ? Optional.of(Instant.ofEpochSecond(number.getAsLong()))
                    : Optional.empty();
        }

        List<String> texts(String name) {
            AttributeValue value = present(name);
            if (value == null) {
                return List.of();
            }
            if (value.hasSs()) {
                return value.ss();
            }
            List<String> texts = new ArrayList<>();
            for (AttributeValue element : value.l()) {
                if (element.s() == null) {
                    throw fault(name);
                }
                texts.add(element.s());
            }
            return texts;
        }
    }
}
