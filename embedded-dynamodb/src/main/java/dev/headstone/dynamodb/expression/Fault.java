package dev.headstone.dynamodb.expression;

/** What can be wrong with an expression that its grammar allows. */
enum Fault {
    /** Parentheses directly inside parentheses. */
    PARENTHESES,
    /** A function that does not exist. */
    UNKNOWN_FUNCTION,
    /** A function where it has no place. */
    MISUSED_FUNCTION,
    /** A reserved word as an attribute's name. */
    RESERVED_WORD,
    /** A section of an update given twice. */
    SECTION
}
