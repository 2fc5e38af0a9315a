package dev.headstone.redirect;

import dev.headstone.link.ShortCode;
import dev.headstone.table.VisitTable;
import dev.headstone.table.Visits;
import dev.headstone.table.VisitsAdded;
import dev.headstone.table.VisitsRead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A table of visits whose client is made for the first batch; otherwise as what it is given. */
final class VisitsWhenNeeded implements VisitTable {
    private final Supplier<VisitTable> table;

    /**
     * @param table cheap to make, over a client that is made once
     */
    VisitsWhenNeeded(Supplier<VisitTable> table) {
        this.table = table;
    }

    @Override
    public VisitsAdded add(String id, List<Visits> batch) {
        return table.get().add(id, batch);
    }

    @Override
    public VisitsRead read(ShortCode code, long epoch) {
        return table.get().read(code, epoch);
    }

    @Override
    public boolean keepUntil(ShortCode code, long epoch, Optional<Instant> purgeAt) {
        return table.get().keepUntil(code, epoch, purgeAt);
    }
}
