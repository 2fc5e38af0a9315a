package dev.headstone.writer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.collect.ImmutableSet;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.time.Instant;

/**
 * A death that somebody made in the table and wants confirmed: the payload of the invalidation
 * function.
 *
 * @param epoch of the link, epoch milliseconds
 * @param version that is dead
 * @param deletedAt when it died, as who made it knows
 */
public record Death(ShortCode code, long epoch, long version, Instant deletedAt) {
    private static final String CODE = "short_code";
    private static final String EPOCH = "epoch";
    private static final String VERSION = "version";
    private static final String DELETED_AT = "deleted_at";
    private static final ImmutableSet<String> FIELDS =
            ImmutableSet.of(CODE, EPOCH, VERSION, DELETED_AT);
    private static final long LARGEST_EPOCH_MILLI = 9_999_999_999_999L;

    Stamp stamp() {
        return new Stamp(epoch, version, true);
    }

    /** The payload of the invalidation function. */
    public String payload() {
        return JsonNodeFactory.instance
                .objectNode()
                .put(CODE, code.value())
                .put(EPOCH, epoch)
                .put(VERSION, version)
                .put(DELETED_AT, deletedAt.toEpochMilli())
                .toString();
    }

    /** Reads the payload: these four fields, all of them, and nothing else. */
    static Reading<Death> read(byte[] payload) {
        if (payload.length > RequestBodies.MAX_BYTES) {
            return new Reading.TooLarge<>();
        }
        try {
            JsonFields fields = JsonFields.read(payload, FIELDS);
            return new Reading.Valid<>(
                    new Death(
                            ShortCode.parse(fields.text(CODE).orElse(""))
                                    .orElseThrow(() -> new Refusal(CODE, "No short code.")),
                            number(fields, EPOCH, 0, LARGEST_EPOCH_MILLI),
                            number(fields, VERSION, 1, Long.MAX_VALUE),
                            Instant.ofEpochMilli(
                                    number(fields, DELETED_AT, 0, LARGEST_EPOCH_MILLI))));
        } catch (Refusal refusal) {
            return refusal.asReading();
        }
    }

    private static long number(JsonFields fields, String field, long least, long most)
            throws Refusal {
        return fields.wholeNumber(field, least, most)
                .orElseThrow(() -> new Refusal(field, "The field is missing."));
    }
}
