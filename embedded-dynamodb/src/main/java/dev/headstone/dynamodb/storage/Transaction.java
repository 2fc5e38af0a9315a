package dev.headstone.dynamodb.storage;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.h2.mvstore.MVMap;

/**
 * Collects changes that happen together or not at all. {@link #get} sees them already, {@link
 * #entries} shows the state before. Used by one thread, within {@link Storage#write}.
 */
public final class Transaction implements View {
    private final Function<Tree, MVMap<byte[], byte[]>> maps;
    private final Map<Tree, Changes> changed = new HashMap<>();

    Transaction(Function<Tree, MVMap<byte[], byte[]>> maps) {
        this.maps = maps;
    }

    @Override
    public Optional<byte[]> get(Tree tree, byte[] key) {
        Changes changes = changed.get(tree);
        if (changes != null) {
            Optional<byte[]> change = changes.byKey.get(key);
            if (change != null) {
                return change;
            }
            if (changes.cleared) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(maps.apply(tree).get(key));
    }

    @Override
    public Entries entries(Tree tree, KeyRange range, Direction direction) {
        return new Entries(maps.apply(tree).getRoot(), range, direction);
    }

    /** Sets the value of {@code key}. Neither array may be changed from here on. */
    public void put(Tree tree, byte[] key, byte[] value) {
        changes(tree).byKey.put(key, Optional.of(value));
    }

    /** Removes {@code key}, if it is there. */
    public void remove(Tree tree, byte[] key) {
        changes(tree).byKey.put(key, Optional.empty());
    }

    /** Removes all keys of a tree. */
    public void clear(Tree tree) {
        Changes changes = changes(tree);
        changes.cleared = true;
        changes.byKey.clear();
    }

    boolean isEmpty() {
        return changed.isEmpty();
    }

    Map<Tree, Changes> changed() {
        return changed;
    }

    private Changes changes(Tree tree) {
        return changed.computeIfAbsent(tree, _ -> new Changes());
    }

    /** What happens to one tree: it is cleared first, if at all. */
    static final class Changes {
        boolean cleared;
        final Map<byte[], Optional<byte[]>> byKey = new TreeMap<>(Arrays::compareUnsigned);

        void applyTo(MVMap<byte[], byte[]> map) {
            if (cleared) {
                map.clear();
            }
            byKey.forEach(
                    (key, value) -> {
                        if (value.isPresent()) {
                            map.put(key, value.get());
                        } else {
                            map.remove(key);
                        }
                    });
        }
    }
}
