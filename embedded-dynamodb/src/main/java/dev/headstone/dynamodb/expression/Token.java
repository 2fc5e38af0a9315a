package dev.headstone.dynamodb.expression;

/** A piece of an expression; {@code start} and {@code end} are where it stands in the text. */
record Token(Kind kind, String text, int start, int end) {
    /** What a token can be. */
    enum Kind {
        /**
         * A letter, then letters, digits and underscores: an attribute's name, a function's, or a
         * keyword.
         */
        WORD,
        /** A name given with the request: {@code #name}. */
        NAME,
        /** A value given with the request: {@code :value}. */
        VALUE,
        /** Digits: the position of a list's element. */
        NUMBER,
        /** One of {@code = <> < <= > >=}. */
        COMPARATOR,
        /** {@code (}. */
        OPEN,
        /** {@code )}. */
        CLOSE,
        /** {@code [}. */
        OPEN_INDEX,
        /** {@code ]}. */
        CLOSE_INDEX,
        /** {@code .}. */
        DOT,
        /** {@code ,}. */
        COMMA,
        /** {@code +}. */
        PLUS,
        /** {@code -}. */
        MINUS,
        /** A character that has no place in any expression. */
        STRAY,
        /** The end of the expression. */
        END
    }

    /** Whether this is the given keyword, in upper or lower case. */
    boolean is(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }
}
