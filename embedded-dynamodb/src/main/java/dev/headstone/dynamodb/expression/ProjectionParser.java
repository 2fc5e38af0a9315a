package dev.headstone.dynamodb.expression;

import java.util.ArrayList;
import java.util.List;

/** Parses projections: paths between commas. */
final class ProjectionParser {
    private ProjectionParser() {}

    static List<PathSyntax> parse(String source) {
        Tokens tokens = new Tokens(ExpressionKind.PROJECTION, source);
        Faults faults = new Faults(ExpressionKind.PROJECTION);
        PathParser paths = new PathParser(tokens, faults);
        List<PathSyntax> parsed = new ArrayList<>();
        do {
            parsed.add(paths.path());
        } while (tokens.takeIf(Token.Kind.COMMA));
        if (!tokens.at(Token.Kind.END)) {
            throw tokens.syntaxError();
        }
        faults.throwFirstOf(Fault.RESERVED_WORD);
        return List.copyOf(parsed);
    }
}
