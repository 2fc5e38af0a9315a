package dev.headstone.standalone.source;

final class InMemoryFailedBatchesTest extends FailedBatchesContract {
    @Override
    FailedBatches batches() {
        return new InMemoryFailedBatches(CAPACITY);
    }
}
