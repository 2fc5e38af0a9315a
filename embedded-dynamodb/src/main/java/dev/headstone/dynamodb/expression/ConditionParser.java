package dev.headstone.dynamodb.expression;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses conditions, by recursive descent: OR binds loosest, then AND, NOT and the comparisons.
 *
 * <pre>{@code
 * or         = and {"OR" and}
 * and        = not {"AND" not}
 * not        = {"NOT"} predicate
 * predicate  = term | term comparator term | term "BETWEEN" term "AND" term | term "IN" "(" term {"," term} ")"
 * term       = "(" or ")" | function "(" term {"," term} ")" | value | path
 * }</pre>
 *
 * A term in parentheses may be a condition or an operand; which of them it must be is checked where
 * it is used.
 */
final class ConditionParser {
    private static final int MAX_CANDIDATES = 100;

    private static final String REDUNDANT = "The expression has redundant parentheses;";

    private final Tokens tokens;
    private final Faults faults;
    private final PathParser paths;
    private final Extent extent;

    private ConditionParser(ExpressionKind kind, String source) {
        tokens = new Tokens(kind, source);
        faults = new Faults(kind);
        paths = new PathParser(tokens, faults);
        extent = new Extent(kind);
    }

    static Syntax parse(ExpressionKind kind, String source) {
        return new ConditionParser(kind, source).parse();
    }

    private Syntax parse() {
        Syntax condition = asCondition(or());
        if (!tokens.at(Token.Kind.END)) {
            throw tokens.syntaxError();
        }
        extent.requireFewOperators();
        faults.throwFirstOf(
                Fault.PARENTHESES,
                Fault.UNKNOWN_FUNCTION,
                Fault.MISUSED_FUNCTION,
                Fault.RESERVED_WORD);
        return condition;
    }

    private Syntax or() {
        Syntax first = and();
        if (!tokens.at("OR")) {
            return first;
        }
        List<Syntax> operands = new ArrayList<>(List.of(asCondition(first)));
        while (tokens.takeIf("OR")) {
            extent.operator();
            operands.add(asCondition(and()));
        }
        return new Syntax.Or(List.copyOf(operands));
    }

    private Syntax and() {
        Syntax first = not();
        if (!tokens.at("AND")) {
            return first;
        }
        List<Syntax> operands = new ArrayList<>(List.of(asCondition(first)));
        while (tokens.takeIf("AND")) {
            extent.operator();
            operands.add(asCondition(not()));
        }
        return new Syntax.And(List.copyOf(operands));
    }

    private Syntax not() {
        int negations = 0;
        while (tokens.takeIf("NOT")) {
            extent.operator();
            negations++;
        }
        Syntax predicate = predicate();
        return negations == 0 ? predicate : negated(asCondition(predicate), negations);
    }

    private static Syntax negated(Syntax condition, int times) {
        Syntax once = new Syntax.Not(condition);
        return times % 2 == 1 ? once : new Syntax.Not(once);
    }

    private Syntax predicate() {
        Syntax term = term();
        if (!term.isOperand()) {
            return term;
        }
        if (tokens.at(Token.Kind.COMPARATOR)) {
            extent.operator();
            Comparator comparator = Comparator.of(tokens.take().text());
            return new Syntax.Comparison(comparator, asValue(term), operand());
        }
        if (tokens.takeIf("BETWEEN")) {
            extent.operator();
            Syntax lower = operand();
            tokens.expect("AND");
            return new Syntax.Between(asValue(term), lower, operand());
        }
        if (tokens.takeIf("IN")) {
            extent.operator();
            return new Syntax.In(asValue(term), candidates());
        }
        return term;
    }

    private List<Syntax> candidates() {
        List<Syntax> candidates = operands();
        if (candidates.size() > MAX_CANDIDATES) {
            throw tokens.kind()
                    .invalid(
                            "The IN operator is provided with too many operands; number of operands: "
                                    + candidates.size());
        }
        return candidates;
    }

    private Syntax term() {
        if (tokens.at(Token.Kind.OPEN)) {
            return parentheses();
        }
        if (tokens.at(Token.Kind.VALUE)) {
            return new Syntax.Value(tokens.take().text());
        }
        if (tokens.at("AND")
                || tokens.at("OR")
                || tokens.at("NOT")
                || tokens.at("BETWEEN")
                || tokens.at("IN")) {
            throw tokens.syntaxError();
        }
        if (tokens.at(Token.Kind.WORD) && tokens.followedBy(Token.Kind.OPEN)) {
            return call();
        }
        return new Syntax.Path(paths.path());
    }

    private Syntax parentheses() {
        tokens.expect(Token.Kind.OPEN);
        extent.enter(REDUNDANT);
        Syntax inner = or();
        tokens.expect(Token.Kind.CLOSE);
        extent.leave();
        if (inner instanceof Syntax.Parentheses) {
            faults.note(Fault.PARENTHESES, REDUNDANT);
        }
        return new Syntax.Parentheses(inner);
    }

    private Syntax call() {
        String function = tokens.take().text();
        if (Functions.areOfUpdates(function)) {
            faults.note(
                    Fault.MISUSED_FUNCTION,
                    "The function is not allowed in a condition expression; function: " + function);
        } else if (!Functions.areOfConditions(function)) {
            faults.note(Fault.UNKNOWN_FUNCTION, "Invalid function name; function: " + function);
        }
        extent.enter(Functions.misused(function));
        List<Syntax> arguments = operands();
        extent.leave();
        return new Syntax.Call(function, arguments);
    }

    private List<Syntax> operands() {
        tokens.expect(Token.Kind.OPEN);
        List<Syntax> operands = new ArrayList<>();
        do {
            operands.add(operand());
        } while (tokens.takeIf(Token.Kind.COMMA));
        tokens.expect(Token.Kind.CLOSE);
        return List.copyOf(operands);
    }

    private Syntax operand() {
        Syntax term = term();
        if (!term.isOperand()) {
            throw tokens.syntaxError();
        }
        return asValue(term);
    }

    /** Notes it if this is a function that has no value to compare. */
    private Syntax asValue(Syntax operand) {
        if (operand.bare() instanceof Syntax.Call(String function, _)
                && !function.equals(Functions.SIZE)) {
            faults.note(Fault.MISUSED_FUNCTION, Functions.misused(function));
        }
        return operand;
    }

    /**
     * Refuses what can be neither true nor false: after an operand the next token had to be a
     * comparator.
     */
    private Syntax asCondition(Syntax syntax) {
        if (!syntax.isCondition()) {
            throw tokens.syntaxError();
        }
        if (syntax.bare() instanceof Syntax.Call(String function, _)
                && function.equals(Functions.SIZE)) {
            faults.note(Fault.MISUSED_FUNCTION, Functions.misused(function));
        }
        return syntax;
    }
}
