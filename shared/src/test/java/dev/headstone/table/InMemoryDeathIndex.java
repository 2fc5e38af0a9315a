package dev.headstone.table;

import dev.headstone.link.Link;
import dev.headstone.link.Standing.Dead;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What an {@link InMemoryLinkTable} knows of deaths, as the real index gives it, and can be told to
 * fail. Held to {@link DeathIndexContract} beside the real one. Safe for use by several threads.
 */
public final class InMemoryDeathIndex implements DeathIndex {
    private final InMemoryLinkTable table;
    private final int page;
    private int failsAfter = Integer.MAX_VALUE;
    private int reads;

    /** The deaths of {@code table}, in pages as large as they come. */
    public InMemoryDeathIndex(InMemoryLinkTable table) {
        this(table, PAGE);
    }

    /** In pages of {@code page}. */
    public InMemoryDeathIndex(InMemoryLinkTable table, int page) {
        this.table = table;
        this.page = page;
    }

    /** Lets so many reads more succeed, and none after them. */
    public synchronized void failAfter(int more) {
        failsAfter = more;
    }

    /** Everything answers again. */
    public synchronized void recover() {
        failsAfter = Integer.MAX_VALUE;
    }

    /** How many pages were asked for. */
    public synchronized int reads() {
        return reads;
    }

    @Override
    public synchronized DeathPage read(DeathPartition partition, Optional<String> from) {
        reads++;
        if (failsAfter == 0) {
            return new DeathPage.Failed(new IOException("the index does not answer"));
        }
        if (failsAfter < Integer.MAX_VALUE) {
            failsAfter--;
        }
        List<Link> all =
                table.deaths().stream()
                        .filter(link -> key(link, Deaths.BUCKET).equals(partition.bucket()))
                        .sorted(Comparator.comparing(link -> key(link, Deaths.ENTRY)))
                        .filter(
                                link ->
                                        from.isEmpty()
                                                || key(link, Deaths.ENTRY).compareTo(from.get())
                                                        > 0)
                        .toList();
        List<Link> read = all.subList(0, Math.min(page, all.size()));
        return new DeathPage.Read(
                read.stream().map(link -> new DeathPage.Death(link.code(), link.stamp())).toList(),
                read.size() < all.size()
                        ? Optional.of(key(read.getLast(), Deaths.ENTRY))
                        : Optional.empty());
    }

    private static String key(Link link, String name) {
        Instant at = ((Dead) link.standing()).deletedAt();
        return Objects.requireNonNull(Deaths.key(link.code(), at).get(name)).s();
    }
}
