package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeType;
import dev.headstone.dynamodb.value.AttributeValue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks up the names and values of an update and checks its targets and the types of its operands.
 */
final class UpdateBinder {
    private static final ExpressionKind KIND = ExpressionKind.UPDATE;
    private static final Set<AttributeType> DELETED =
            EnumSet.of(AttributeType.SS, AttributeType.NS, AttributeType.BS);
    private static final Set<AttributeType> ADDED =
            EnumSet.of(AttributeType.N, AttributeType.SS, AttributeType.NS, AttributeType.BS);

    private final Placeholders placeholders;

    UpdateBinder(Placeholders placeholders) {
        this.placeholders = placeholders;
    }

    /**
     * Checks in the service's order: all names, all values, the targets among themselves, then each
     * operand.
     */
    UpdateExpression bind(UpdateSyntax syntax) {
        Set<DocumentPath> paths = new LinkedHashSet<>();
        List<DocumentPath> targets = new ArrayList<>();
        for (UpdateSyntax.Action action : syntax.actions()) {
            DocumentPath target = placeholders.resolve(KIND, action.target());
            targets.add(target);
            paths.add(target);
            lookUpPaths(action, paths);
        }
        syntax.actions().forEach(this::lookUpValues);
        Overlap.refuse(KIND, targets);
        syntax.actions().forEach(this::checkOperand);
        return new UpdateExpression(syntax.actions().stream().map(this::change).toList(), paths);
    }

    private void lookUpPaths(UpdateSyntax.Action action, Set<DocumentPath> paths) {
        if (action instanceof UpdateSyntax.Set(_, Syntax value)) {
            lookUpPaths(value, paths);
        }
    }

    private void lookUpPaths(Syntax value, Set<DocumentPath> paths) {
        switch (value.bare()) {
            case Syntax.Path(PathSyntax path) -> paths.add(placeholders.resolve(KIND, path));
            case Syntax.Call(_, var arguments) ->
                    arguments.forEach(argument -> lookUpPaths(argument, paths));
            case Syntax.Arithmetic(_, Syntax left, Syntax right) -> {
                lookUpPaths(left, paths);
                lookUpPaths(right, paths);
            }
            case Syntax.Or _,
                    Syntax.And _,
                    Syntax.Not _,
                    Syntax.Comparison _,
                    Syntax.Between _,
                    Syntax.In _,
                    Syntax.Value _,
                    Syntax.Parentheses _ -> {}
        }
    }

    private void lookUpValues(UpdateSyntax.Action action) {
        switch (action) {
            case UpdateSyntax.Set(_, Syntax value) -> lookUpValues(value);
            case UpdateSyntax.Remove _ -> {}
            case UpdateSyntax.Add(_, Syntax.Value operand) -> placeholders.resolve(KIND, operand);
            case UpdateSyntax.Delete(_, Syntax.Value operand) ->
                    placeholders.resolve(KIND, operand);
        }
    }

    private void lookUpValues(Syntax value) {
        switch (value.bare()) {
            case Syntax.Value constant -> placeholders.resolve(KIND, constant);
            case Syntax.Call(_, var arguments) -> arguments.forEach(this::lookUpValues);
            case Syntax.Arithmetic(_, Syntax left, Syntax right) -> {
                lookUpValues(left);
                lookUpValues(right);
            }
            case Syntax.Or _,
                    Syntax.And _,
                    Syntax.Not _,
                    Syntax.Comparison _,
                    Syntax.Between _,
                    Syntax.In _,
                    Syntax.Path _,
                    Syntax.Parentheses _ -> {}
        }
    }

    private void checkOperand(UpdateSyntax.Action action) {
        switch (action) {
            case UpdateSyntax.Add(_, Syntax.Value operand) -> checkOperand("ADD", ADDED, operand);
            case UpdateSyntax.Delete(_, Syntax.Value operand) ->
                    checkOperand("DELETE", DELETED, operand);
            case UpdateSyntax.Set _, UpdateSyntax.Remove _ -> {}
        }
    }

    private void checkOperand(String section, Set<AttributeType> allowed, Syntax.Value operand) {
        AttributeType type = placeholders.resolve(KIND, operand).type();
        if (!allowed.contains(type)) {
            throw KIND.invalid(
                    "Incorrect operand type for operator or function; operator: %s, operand type: %s"
                            .formatted(section, type.longName()));
        }
    }

    private Change change(UpdateSyntax.Action action) {
        DocumentPath target = placeholders.resolve(KIND, action.target());
        return switch (action) {
            case UpdateSyntax.Set(_, Syntax value) -> new Change.Set(target, assigned(value));
            case UpdateSyntax.Remove _ -> new Change.Remove(target);
            case UpdateSyntax.Add(_, Syntax.Value operand) ->
                    new Change.Add(target, placeholders.resolve(KIND, operand));
            case UpdateSyntax.Delete(_, Syntax.Value operand) ->
                    new Change.Delete(target, placeholders.resolve(KIND, operand));
        };
    }

    private Assigned assigned(Syntax syntax) {
        return switch (syntax.bare()) {
            case Syntax.Value value -> new Assigned.Constant(placeholders.resolve(KIND, value));
            case Syntax.Path(PathSyntax path) ->
                    new Assigned.AtPath(placeholders.resolve(KIND, path));
            case Syntax.Arithmetic(char operator, Syntax left, Syntax right) -> {
                String symbol = String.valueOf(operator);
                Assigned l = operand(symbol, AttributeType.N, left);
                Assigned r = operand(symbol, AttributeType.N, right);
                yield operator == '+' ? new Assigned.Sum(l, r) : new Assigned.Difference(l, r);
            }
            case Syntax.Call(String function, var arguments) -> call(function, arguments);
            case Syntax.Or _,
                    Syntax.And _,
                    Syntax.Not _,
                    Syntax.Comparison _,
                    Syntax.Between _,
                    Syntax.In _,
                    Syntax.Parentheses _ ->
                    throw new IllegalArgumentException("not a value: " + syntax);
        };
    }

    private Assigned call(String function, List<Syntax> arguments) {
        if (arguments.size() != Functions.arity(function)) {
            throw ConditionBinder.incorrectNumber(KIND, function, arguments.size());
        }
        if (function.equals(Functions.LIST_APPEND)) {
            return new Assigned.Joined(
                    operand(function, AttributeType.L, arguments.getFirst()),
                    operand(function, AttributeType.L, arguments.getLast()));
        }
        if (!(arguments.getFirst().bare() instanceof Syntax.Path(PathSyntax path))) {
            throw KIND.invalid(
                    "Operator or function requires a document path; operator or function: "
                            + function);
        }
        return new Assigned.IfMissing(
                placeholders.resolve(KIND, path), assigned(arguments.getLast()));
    }

    private Assigned operand(String operator, AttributeType required, Syntax syntax) {
        Assigned operand = assigned(syntax);
        if (operand instanceof Assigned.Constant(AttributeValue value)
                && value.type() != required) {
            throw ConditionBinder.incorrectType(KIND, operator, value.type().name());
        }
        return operand;
    }
}
