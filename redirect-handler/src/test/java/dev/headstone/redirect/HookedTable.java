package dev.headstone.redirect;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A table in which things happen while a click asks it. */
final class HookedTable implements LinkTable {
    private final InMemoryLinkTable table;
    private Runnable beforeRead = () -> {};
    private Runnable afterRead = () -> {};
    private Runnable beforeClaim = () -> {};
    private Runnable beforeExhaust = () -> {};
    private UnaryOperator<ChangeOutcome> exhausted = outcome -> outcome;

    HookedTable(InMemoryLinkTable table) {
        this.table = table;
    }

    /** Before each read. */
    void beforeRead(Runnable hook) {
        beforeRead = hook;
    }

    /** Once, between the next read and its answer. */
    void stallAfterRead(Runnable hook) {
        afterRead =
                () -> {
                    afterRead = () -> {};
                    hook.run();
                };
    }

    /** Before each claim. */
    void beforeClaim(Runnable hook) {
        beforeClaim = hook;
    }

    /** Before each exhaustion. */
    void beforeExhaust(Runnable hook) {
        beforeExhaust = hook;
    }

    /** What is reported of an exhaustion. */
    void reportExhausted(UnaryOperator<ChangeOutcome> report) {
        exhausted = report;
    }

    @Override
    public TableRead read(ShortCode code) {
        beforeRead.run();
        TableRead read = table.read(code);
        afterRead.run();
        return read;
    }

    @Override
    public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
        return table.create(link, idempotency);
    }

    @Override
    public IdempotencyRead recall(String key) {
        return table.recall(key);
    }

    @Override
    public ChangeOutcome change(Link before, Link after) {
        return table.change(before, after);
    }

    @Override
    public VisitClaim claimVisit(Link link) {
        beforeClaim.run();
        return table.claimVisit(link);
    }

    @Override
    public ChangeOutcome exhaust(Link before, Link after) {
        beforeExhaust.run();
        return exhausted.apply(table.exhaust(before, after));
    }
}
