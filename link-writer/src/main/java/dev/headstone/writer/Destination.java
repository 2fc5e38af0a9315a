package dev.headstone.writer;

/** What became of a {@code long_url} that somebody wants a link to lead to. */
public sealed interface Destination {
    /**
     * A destination that a link may lead to.
     *
     * @param url what {@code Location} will say: printable ASCII, at most 2,048 bytes, byte for
     *     byte what was asked for, apart from an IDN host (now its A-label) and non-ASCII
     *     characters after it (now percent-encoded UTF-8)
     * @param host the host for comparing: a lower-case A-label without trailing dot, or an IP
     *     address in its canonical spelling, an IPv6 address without brackets
     */
    record Accepted(String url, String host) implements Destination {
        /** Without the URL, which no log line may carry. */
        @Override
        public String toString() {
            return "Accepted[" + host + "]";
        }
    }

    /**
     * A destination that no link may lead to.
     *
     * @param why the rule that was broken, a sentence for a person; repeats nothing of the URL
     */
    record Refused(String why) implements Destination {}
}
