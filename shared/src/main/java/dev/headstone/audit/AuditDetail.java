package dev.headstone.audit;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What an event says beyond its fixed fields: a few named texts and whole numbers, in the order of
 * their names. Immutable; at most {@value #MOST_ENTRIES} entries.
 */
public final class AuditDetail {
    /** Most entries of one detail. */
    public static final int MOST_ENTRIES = 16;

    /** Most characters of one text: with all entries full the event still is a small message. */
    public static final int LONGEST_TEXT = 2_048;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,31}");
    private static final AuditDetail NONE = new AuditDetail(new TreeMap<>());

    private final SortedMap<String, Object> entries;

    private AuditDetail(SortedMap<String, Object> entries) {
        this.entries = Collections.unmodifiableSortedMap(entries);
    }

    /** No detail. */
    public static AuditDetail none() {
        return NONE;
    }

    /**
     * This detail and one text more, or that text in the place of the entry of the same name.
     *
     * @throws IllegalArgumentException if the name is not 1 to 32 characters of {@code [a-z0-9_]}
     *     that begin with a letter, the text is longer than {@value #LONGEST_TEXT} characters, or
     *     there are too many entries
     */
    public AuditDetail with(String name, String text) {
        if (text.length() > LONGEST_TEXT) {
            throw new IllegalArgumentException(
                    "detail %s: more than %d characters".formatted(name, LONGEST_TEXT));
        }
        return and(name, text);
    }

    /**
     * This detail and one number more, or that number in the place of the entry of the same name.
     *
     * @throws IllegalArgumentException for the name, as in {@link #with(String, String)}
     */
    public AuditDetail with(String name, long number) {
        return and(name, number);
    }

    private AuditDetail and(String name, Object value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("detail: a name must match " + NAME);
        }
        SortedMap<String, Object> more = new TreeMap<>(entries);
        more.put(name, value);
        if (more.size() > MOST_ENTRIES) {
            throw new IllegalArgumentException("detail: more than %d".formatted(MOST_ENTRIES));
        }
        return new AuditDetail(more);
    }

    /** The entries by name; a value is a {@link String} or a {@link Long}. */
    public Map<String, Object> entries() {
        return entries;
    }

    /** Whether there is nothing to say. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AuditDetail that && entries.equals(that.entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    @Override
    public String toString() {
        return entries.toString();
    }
}
