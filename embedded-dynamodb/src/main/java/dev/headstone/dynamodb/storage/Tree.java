package dev.headstone.dynamodb.storage;

/**
 * Names one of the trees of a {@link Storage}. A tree that was never written to is empty.
 *
 * @param id unique within a storage, 1 or more
 */
public record Tree(int id) {
    static final String PREFIX = "tree-";

    String mapName() {
        return PREFIX + id;
    }

    static Tree named(String mapName) {
        return new Tree(Integer.parseInt(mapName.substring(PREFIX.length())));
    }
}
