package dev.headstone.dynamodb.storage;

import java.util.Optional;

/** One consistent state of all trees. */
public sealed interface View permits Snapshot, Transaction {
    /** The value of {@code key}, not to be changed; empty if the tree does not have the key. */
    Optional<byte[]> get(Tree tree, byte[] key);

    /** The entries of {@code range}. */
    Entries entries(Tree tree, KeyRange range, Direction direction);
}
