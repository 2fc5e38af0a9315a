package dev.headstone.standalone.source;

final class InMemoryShardCheckpointsTest extends ShardCheckpointsContract {
    private final InMemoryShardCheckpoints.Store store = new InMemoryShardCheckpoints.Store();

    @Override
    ShardCheckpoints checkpoints(String owner) {
        return new InMemoryShardCheckpoints(store, owner, LEASE, clock);
    }
}
