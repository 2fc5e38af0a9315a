package dev.headstone.table;

import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.util.List;
import java.util.Optional;

/** What became of reading a page of the index of deaths. */
public sealed interface DeathPage {
    /**
     * What was entered by the time of the read.
     *
     * @param next where the next page begins; empty if this was the last one of its partition
     */
    record Read(List<Death> deaths, Optional<String> next) implements DeathPage {
        /** With a copy of {@code deaths}. */
        public Read {
            deaths = List.copyOf(deaths);
        }
    }

    /** The index could not be asked. */
    record Failed(Exception cause) implements DeathPage {}

    /**
     * A link that died; it may live again since, or be gone.
     *
     * @param stamp of the dead link
     */
    record Death(ShortCode code, Stamp stamp) {}
}
