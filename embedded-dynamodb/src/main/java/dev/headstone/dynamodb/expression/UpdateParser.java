package dev.headstone.dynamodb.expression;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Parses updates, by recursive descent.
 *
 * <pre>{@code
 * update   = section {section}
 * section  = "SET" path "=" sum {"," path "=" sum} | "REMOVE" path {"," path}
 *          | "ADD" path value {"," path value}     | "DELETE" path value {"," path value}
 * sum      = operand | operand ("+" | "-") operand
 * operand  = "(" sum ")" | function "(" operand {"," operand} ")" | value | path
 * }</pre>
 *
 * A sum in parentheses is not an operand of another; that is checked where it is used.
 */
final class UpdateParser {

    private static final String REDUNDANT = "The expression has redundant parentheses;";

    private final Tokens tokens;
    private final Faults faults = new Faults(ExpressionKind.UPDATE);
    private final PathParser paths;
    private final Extent extent = new Extent(ExpressionKind.UPDATE);
    private final Set<String> sections = new HashSet<>();

    private UpdateParser(String source) {
        tokens = new Tokens(ExpressionKind.UPDATE, source);
        paths = new PathParser(tokens, faults);
    }

    static UpdateSyntax parse(String source) {
        return new UpdateParser(source).parse();
    }

    private UpdateSyntax parse() {
        List<UpdateSyntax.Action> actions = new ArrayList<>();
        do {
            actions.addAll(section());
        } while (!tokens.at(Token.Kind.END));
        extent.requireFewOperators();
        faults.throwFirstOf(
                Fault.RESERVED_WORD, Fault.UNKNOWN_FUNCTION, Fault.MISUSED_FUNCTION, Fault.SECTION);
        return new UpdateSyntax(List.copyOf(actions));
    }

    private List<UpdateSyntax.Action> section() {
        if (tokens.at("SET")) {
            return section(this::set);
        }
        if (tokens.at("REMOVE")) {
            return section(() -> new UpdateSyntax.Remove(target()));
        }
        if (tokens.at("ADD")) {
            return section(() -> new UpdateSyntax.Add(target(), value()));
        }
        if (tokens.at("DELETE")) {
            return section(() -> new UpdateSyntax.Delete(target(), value()));
        }
        throw tokens.syntaxError();
    }

    private List<UpdateSyntax.Action> section(Supplier<UpdateSyntax.Action> action) {
        String name = tokens.take().text().toUpperCase(Locale.ROOT);
        if (!sections.add(name)) {
            faults.note(
                    Fault.SECTION,
                    "The \"%s\" section can only be used once in an update expression;"
                            .formatted(name));
        }
        List<UpdateSyntax.Action> actions = new ArrayList<>();
        do {
            actions.add(action.get());
        } while (tokens.takeIf(Token.Kind.COMMA));
        return actions;
    }

    private UpdateSyntax.Action set() {
        PathSyntax target = target();
        if (!tokens.at(Token.Kind.COMPARATOR) || !tokens.peek().text().equals("=")) {
            throw tokens.syntaxError();
        }
        tokens.take();
        return new UpdateSyntax.Set(target, sum());
    }

    private PathSyntax target() {
        refuseSectionName();
        return paths.path();
    }

    private Syntax.Value value() {
        return new Syntax.Value(tokens.expect(Token.Kind.VALUE).text());
    }

    private Syntax sum() {
        Syntax left = operand();
        if (!tokens.at(Token.Kind.PLUS) && !tokens.at(Token.Kind.MINUS)) {
            return left;
        }
        if (!left.isOperand()) {
            throw tokens.syntaxError();
        }
        extent.operator();
        char operator = tokens.take().text().charAt(0);
        return new Syntax.Arithmetic(operator, inner(left), inner(plainOperand()));
    }

    private Syntax operand() {
        if (tokens.at(Token.Kind.OPEN)) {
            return parentheses();
        }
        if (tokens.at(Token.Kind.VALUE)) {
            return value();
        }
        if (tokens.at(Token.Kind.WORD) && tokens.followedBy(Token.Kind.OPEN)) {
            return call();
        }
        return new Syntax.Path(target());
    }

    private Syntax plainOperand() {
        Syntax operand = operand();
        if (!operand.isOperand()) {
            throw tokens.syntaxError();
        }
        return operand;
    }

    private Syntax parentheses() {
        tokens.expect(Token.Kind.OPEN);
        extent.enter(REDUNDANT);
        Syntax sum = sum();
        tokens.expect(Token.Kind.CLOSE);
        extent.leave();
        return new Syntax.Parentheses(sum);
    }

    private Syntax call() {
        extent.operator();
        String function = tokens.take().text();
        if (Functions.areOfConditions(function)) {
            faults.note(
                    Fault.MISUSED_FUNCTION,
                    "The function is not allowed in an update expression; function: " + function);
        } else if (!Functions.areOfUpdates(function)) {
            faults.note(Fault.UNKNOWN_FUNCTION, "Invalid function name; function: " + function);
        }
        extent.enter(Functions.misused(function));
        tokens.expect(Token.Kind.OPEN);
        List<Syntax> arguments = new ArrayList<>();
        do {
            arguments.add(inner(plainOperand()));
        } while (tokens.takeIf(Token.Kind.COMMA));
        tokens.expect(Token.Kind.CLOSE);
        extent.leave();
        return new Syntax.Call(function, List.copyOf(arguments));
    }

    /** Notes it if this is a list_append: it has to be the whole value that is set. */
    private Syntax inner(Syntax operand) {
        if (operand.bare() instanceof Syntax.Call(String function, _)
                && function.equals(Functions.LIST_APPEND)) {
            faults.note(Fault.MISUSED_FUNCTION, Functions.misused(function));
        }
        return operand;
    }

    private void refuseSectionName() {
        if (tokens.at("SET") || tokens.at("REMOVE") || tokens.at("ADD") || tokens.at("DELETE")) {
            throw tokens.syntaxError();
        }
    }
}
