package dev.headstone.proof.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Small numbers for things, equal things the same one, so that a state is a few words.
 *
 * @param <T> immutable, with a meaning of equality
 */
final class Numbers<T> {
    private final String what;
    private final int most;
    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> things = new ArrayList<>();

    /**
     * @param what named in the error
     * @param most how many numbers the state has room for
     */
    Numbers(String what, int most) {
        this.what = what;
        this.most = most;
    }

    /**
     * The number of {@code thing}.
     *
     * @throws IllegalStateException if there is no room for another: the world is too large
     */
    int of(T thing) {
        Integer known = numbers.get(thing);
        if (known != null) {
            return known;
        }
        if (things.size() == most) {
            throw new IllegalStateException("more than " + most + " " + what);
        }
        int number = things.size();
        numbers.put(thing, number);
        things.add(thing);
        return number;
    }

    T get(int number) {
        return things.get(number);
    }

    int size() {
        return things.size();
    }
}
