package dev.headstone.writer;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A change that somebody wants made to a link, short of a takedown. */
public sealed interface ChangeRequest {
    /** The link is to be dead until it is reactivated. */
    record Deactivate() implements ChangeRequest {}

    /** The link is to be alive again. */
    record Reactivate() implements ChangeRequest {}

    /**
     * The link is to have other particulars.
     *
     * @param tags all tags it shall have, or empty if they stay as they are
     */
    record Alter(Expiry expiry, Optional<List<String>> tags) implements ChangeRequest {
        /** Keeps a copy of the tags. */
        public Alter {
            tags = tags.map(List::copyOf);
        }
    }

    /** What is to become of the end of a link. */
    sealed interface Expiry {
        /**
         * The link's end after the change.
         *
         * @param current its end until now, if it has one
         */
        default Optional<Instant> after(Optional<Instant> current) {
            return switch (this) {
                case KeepExpiry _ -> current;
                case NeverExpire _ -> Optional.empty();
                case ExpireAt(Instant end) -> Optional.of(end);
            };
        }
    }

    /** It stays as it is. */
    record KeepExpiry() implements Expiry {}

    /** It is removed. */
    record NeverExpire() implements Expiry {}

    /**
     * It is set.
     *
     * @param end whole milliseconds, in the future when it was read
     */
    record ExpireAt(Instant end) implements Expiry {}
}
