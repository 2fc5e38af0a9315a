package dev.headstone.table;

final class InMemoryDeathIndexTest extends DeathIndexContract {
    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private final InMemoryDeathIndex index = new InMemoryDeathIndex(table, 3);

    @Override
    protected LinkTable table() {
        return table;
    }

    @Override
    protected DeathIndex index() {
        return index;
    }
}
