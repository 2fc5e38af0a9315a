package dev.headstone.table;

import dev.headstone.link.ShortCode;

final class InMemoryLinkTableTest extends LinkTableContract {
    private final InMemoryLinkTable table = new InMemoryLinkTable();

    @Override
    protected LinkTable table() {
        return table;
    }

    @Override
    protected int deaths(ShortCode code) {
        return (int) table.deaths().stream().filter(dead -> dead.code().equals(code)).count();
    }
}
