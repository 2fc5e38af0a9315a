package dev.headstone.cache;

/** What one look into the cache found. */
public sealed interface CacheLookup {
    /** A readable record. */
    record Found(CacheRecord record) implements CacheLookup {}

    /** Nothing. */
    record Absent() implements CacheLookup {}

    /** Something that is no record of ours; it answers nothing and gets replaced. */
    record Unreadable() implements CacheLookup {}

    /**
     * The cache did not answer in its time, failed, is not asked at present, or is not trusted.
     *
     * @param why a constant phrase, for the log
     */
    record Unavailable(String why) implements CacheLookup {}
}
