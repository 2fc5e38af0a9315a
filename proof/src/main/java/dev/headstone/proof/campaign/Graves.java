package dev.headstone.proof.campaign;

import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing.Dead;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.DeathIndex;
import dev.headstone.table.DeathPage;
import dev.headstone.table.DeathPage.Death;
import dev.headstone.table.DeathPartition;
import dev.headstone.table.Deaths;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import dev.headstone.table.VisitClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of all trials that run, as a sweep sees them: who died, and what the table says now.
 * Safe for use by several threads.
 */
final class Graves implements LinkTable, DeathIndex {
    private static final long MILLIS_PER_HOUR = 3_600_000;

    private final Map<ShortCode, TrialTable> tables = new ConcurrentHashMap<>();

    /** False if another trial has the code. */
    boolean enters(ShortCode code, TrialTable table) {
        return tables.putIfAbsent(code, table) == null;
    }

    void leaves(ShortCode code) {
        tables.remove(code);
    }

    @Override
    public DeathPage read(DeathPartition partition, Optional<String> from) {
        List<Link> all =
                tables.values().stream()
                        .flatMap(table -> table.deaths().stream())
                        .filter(link -> partitionOf(link).equals(partition))
                        .filter(link -> from.isEmpty() || key(link).compareTo(from.get()) > 0)
                        .sorted((one, other) -> key(one).compareTo(key(other)))
                        .limit(PAGE + 1L)
                        .toList();
        List<Link> page = all.subList(0, Math.min(PAGE, all.size()));
        return new DeathPage.Read(
                page.stream().map(link -> new Death(link.code(), link.stamp())).toList(),
                all.size() > PAGE ? Optional.of(key(page.getLast())) : Optional.empty());
    }

    private static DeathPartition partitionOf(Link link) {
        return new DeathPartition(
                diedAt(link) / MILLIS_PER_HOUR,
                Math.floorMod(link.code().hashCode(), Deaths.SHARDS));
    }

    private static String key(Link link) {
        return diedAt(link) + "#" + link.code() + "#" + link.version();
    }

    private static long diedAt(Link link) {
        return link.standing() instanceof Dead(var _, var deletedAt) ? deletedAt.toEpochMilli() : 0;
    }

    @Override
    public TableRead read(ShortCode code) {
        TrialTable table = tables.get(code);
        return table == null ? new TableRead.Absent() : table.read();
    }

    @Override
    public CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
        throw onlyRead();
    }

    @Override
    public IdempotencyRead recall(String key) {
        throw onlyRead();
    }

    @Override
    public ChangeOutcome change(Link before, Link after) {
        throw onlyRead();
    }

    @Override
    public VisitClaim claimVisit(Link link) {
        throw onlyRead();
    }

    @Override
    public ChangeOutcome exhaust(Link before, Link after) {
        throw onlyRead();
    }

    private static IllegalStateException onlyRead() {
        return new IllegalStateException("a sweep only reads");
    }
}
