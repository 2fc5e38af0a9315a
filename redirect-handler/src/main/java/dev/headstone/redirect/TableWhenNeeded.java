package dev.headstone.redirect;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A table whose client is made when somebody first asks it: half of what a cold start loads is the
 * client's, and a hit does not need it. Safe for use by several threads.
 */
final class TableWhenNeeded implements LinkTable {
    private final Supplier<LinkTable> table;

    /**
     * @param table cheap to make, over a client that is made once
     */
    TableWhenNeeded(Supplier<LinkTable> table) {
        this.table = table;
    }

    @Override
    public TableRead read(ShortCode code) {
        return table.get().read(code);
    }

    @Override
    public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
        return table.get().create(link, idempotency);
    }

    @Override
    public IdempotencyRead recall(String key) {
        return table.get().recall(key);
    }

    @Override
    public ChangeOutcome change(Link before, Link after) {
        return table.get().change(before, after);
    }

    @Override
    public VisitClaim claimVisit(Link link) {
        return table.get().claimVisit(link);
    }

    @Override
    public ChangeOutcome exhaust(Link before, Link after) {
        return table.get().exhaust(before, after);
    }
}
