package dev.headstone.proof.model;

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

/** The table as an actor sees it. */
final class TablePort implements LinkTable {
    private final Scripted run;
    private Optional<Link> lastRead = Optional.empty();

    TablePort(Scripted run) {
        this.run = run;
    }

    @Override
    public TableRead read(ShortCode code) {
        TableRead read = (TableRead) run.answer(new Call.Read());
        lastRead =
                read instanceof TableRead.Found(Link link) ? Optional.of(link) : Optional.empty();
        return read;
    }

    /** What the last read gave. */
    Optional<Link> lastRead() {
        return lastRead;
    }

    @Override
    public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
        return (CreateOutcome) run.answer(new Call.Create(link));
    }

    @Override
    public IdempotencyRead recall(String key) {
        throw new IllegalStateException("no request of the model has an idempotency key");
    }

    @Override
    public ChangeOutcome change(Link before, Link after) {
        return (ChangeOutcome) run.answer(new Call.Change(before, after, false));
    }

    @Override
    public VisitClaim claimVisit(Link link) {
        return (VisitClaim) run.answer(new Call.Claim(link));
    }

    @Override
    public ChangeOutcome exhaust(Link before, Link after) {
        return (ChangeOutcome) run.answer(new Call.Change(before, after, true));
    }
}
