package dev.headstone.dynamodb.expression;

import java.util.List;

/** A document path as it was written: the first step is never an index. */
record PathSyntax(List<Step> steps) {
    /** One step of the path. */
    sealed interface Step {}

    /** A name as it is. */
    record Literal(String name) implements Step {}

    /** A name given with the request: {@code #name}. */
    record Reference(String name) implements Step {}

    /** The position of a list's element. */
    record Index(int index) implements Step {}
}
