package dev.headstone.cache;

import java.util.Optional;

final class InMemoryCacheNodeTest extends CacheNodeContract {
    private final InMemoryCacheNode node = new InMemoryCacheNode();

    @Override
    protected CacheNode node() {
        return node;
    }

    @Override
    protected void put() {
        node.holdsSomething();
    }

    @Override
    protected void restart() {
        node.restart();
    }

    @Override
    protected void reconnect() {
        node.reconnect();
    }

    @Override
    protected void cutOff() {
        node.cutOff(Optional.of("cut off"));
    }
}
