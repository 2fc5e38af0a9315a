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
record TablePort(Scripted run) implements LinkTable {
    @Override
    public TableRead read(ShortCode code) {
        return (TableRead) run.answer(new Call.Read());
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
