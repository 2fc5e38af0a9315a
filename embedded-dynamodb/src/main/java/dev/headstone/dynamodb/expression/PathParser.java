package dev.headstone.dynamodb.expression;

import java.util.ArrayList;
import java.util.List;

/** Parses document paths, and notes reserved words in them. */
final class PathParser {
    private static final int MAX_INDEX_DIGITS = 10;

    /** The deepest path: as deep as values can nest. */
    private static final int MAX_STEPS = 32;

    private final Tokens tokens;
    private final Faults faults;

    PathParser(Tokens tokens, Faults faults) {
        this.tokens = tokens;
        this.faults = faults;
    }

    PathSyntax path() {
        List<PathSyntax.Step> steps = new ArrayList<>();
        steps.add(name());
        while (true) {
            if (tokens.takeIf(Token.Kind.DOT)) {
                steps.add(name());
            } else if (tokens.takeIf(Token.Kind.OPEN_INDEX)) {
                steps.add(index());
                tokens.expect(Token.Kind.CLOSE_INDEX);
            } else {
                break;
            }
        }
        if (steps.size() > MAX_STEPS) {
            throw tokens.kind()
                    .invalid(
                            "The document path has too many nesting elements; nesting levels: "
                                    + steps.size());
        }
        return new PathSyntax(List.copyOf(steps));
    }

    private PathSyntax.Step name() {
        if (tokens.at(Token.Kind.NAME)) {
            return new PathSyntax.Reference(tokens.take().text());
        }
        String name = tokens.expect(Token.Kind.WORD).text();
        if (ReservedWords.contain(name)) {
            faults.note(
                    Fault.RESERVED_WORD,
                    "Attribute name is a reserved keyword; reserved keyword: " + name);
        }
        return new PathSyntax.Literal(name);
    }

    private PathSyntax.Step index() {
        String digits = tokens.expect(Token.Kind.NUMBER).text();
        if (digits.length() > MAX_INDEX_DIGITS || Long.parseLong(digits) > Integer.MAX_VALUE) {
            throw tokens.kind()
                    .invalid(
                            "List index is not within the allowable range; index: ["
                                    + digits
                                    + "]");
        }
        return new PathSyntax.Index(Integer.parseInt(digits));
    }
}
