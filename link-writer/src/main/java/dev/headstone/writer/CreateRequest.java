package dev.headstone.writer;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A link that somebody wants, every field within its bounds.
 *
 * @param alias the code asked for, none that is reserved; else one is to be generated
 * @param expiresAt whole milliseconds, in the future when it was read
 * @param visitLimit 1 to 1,000,000,000
 * @param owner of the form of a label
 * @param tags at most 20, all different, in the order given
 */
public record CreateRequest(
        Destination.Accepted destination,
        Optional<ShortCode> alias,
        Optional<Instant> expiresAt,
        OptionalLong visitLimit,
        Optional<String> owner,
        List<String> tags) {
    /** Keeps a copy of the tags. */
    public CreateRequest {
        tags = List.copyOf(tags);
    }
}
