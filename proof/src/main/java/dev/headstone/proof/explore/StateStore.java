package dev.headstone.proof.explore;

import java.util.Arrays;

/**
 * Every state that was reached, in the order in which it was, with the state it was reached from.
 * States are compared word by word: nothing is mistaken for visited because hashes collide.
 */
final class StateStore {
    private static final int CHUNK_BITS = 14;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int FIRST_TABLE = 1 << 12;

    private final int words;
    private long[][] states = new long[16][];
    private int[][] parents = new int[16][];
    private int size;

    /** Open addressing: the number of a state plus one, 0 for a free place. */
    private int[] table = new int[FIRST_TABLE];

    StateStore(int words) {
        this.words = words;
    }

    int size() {
        return size;
    }

    /** Whether {@code state} is new; if it is, it has been added. */
    boolean add(long[] state, int parent) {
        int place = place(state, table);
        if (table[place] != 0) {
            return false;
        }
        append(state, parent);
        table[place] = size;
        if (size * 3L > table.length * 2L) {
            grow();
        }
        return true;
    }

    boolean contains(long[] state) {
        return table[place(state, table)] != 0;
    }

    private void append(long[] state, int parent) {
        int chunk = size >>> CHUNK_BITS;
        if (chunk == states.length) {
            states = Arrays.copyOf(states, chunk * 2);
            parents = Arrays.copyOf(parents, chunk * 2);
        }
        if ((size & CHUNK - 1) == 0) {
            states[chunk] = new long[CHUNK * words];
            parents[chunk] = new int[CHUNK];
        }
        System.arraycopy(state, 0, states[chunk], (size & CHUNK - 1) * words, words);
        parents[chunk][size & CHUNK - 1] = parent;
        size++;
    }

    /** Where {@code state} is in {@code places}, or would be. */
    private int place(long[] state, int[] places) {
        int mask = places.length - 1;
        int place = hash(state, 0) & mask;
        while (places[place] != 0 && !isAt(places[place] - 1, state)) {
            place = place + 1 & mask;
        }
        return place;
    }

    private boolean isAt(int index, long[] state) {
        long[] chunk = states[index >>> CHUNK_BITS];
        int from = (index & CHUNK - 1) * words;
        for (int i = 0; i < words; i++) {
            if (chunk[from + i] != state[i]) {
                return false;
            }
        }
        return true;
    }

    private int hash(long[] state, int from) {
        long hash = 0x9E3779B97F4A7C15L;
        for (int i = 0; i < words; i++) {
            hash = (hash ^ state[from + i]) * 0xFF51AFD7ED558CCDL;
            hash ^= hash >>> 32;
        }
        return (int) (hash ^ hash >>> 29);
    }

    private void grow() {
        int[] larger = new int[table.length * 2];
        int mask = larger.length - 1;
        for (int index = 0; index < size; index++) {
            long[] chunk = states[index >>> CHUNK_BITS];
            int place = hash(chunk, (index & CHUNK - 1) * words) & mask;
            while (larger[place] != 0) {
                place = place + 1 & mask;
            }
            larger[place] = index + 1;
        }
        table = larger;
    }

    void get(int index, long[] into) {
        System.arraycopy(states[index >>> CHUNK_BITS], (index & CHUNK - 1) * words, into, 0, words);
    }

    /** The state from which the one with that number was reached, -1 for the first. */
    int parent(int index) {
        return parents[index >>> CHUNK_BITS][index & CHUNK - 1];
    }
}
