package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeType;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks up the names and values of a condition and checks the types of its operands. */
final class ConditionBinder {
    private static final Set<AttributeType> ORDERED =
            EnumSet.of(AttributeType.S, AttributeType.N, AttributeType.B);
    private static final Set<AttributeType> PREFIXED = EnumSet.of(AttributeType.S, AttributeType.B);
    private static final Set<AttributeType> WITHOUT_SIZE =
            EnumSet.of(AttributeType.N, AttributeType.BOOL, AttributeType.NULL);

    private final ExpressionKind kind;
    private final Placeholders placeholders;
    private final Set<DocumentPath> paths = new LinkedHashSet<>();

    ConditionBinder(ExpressionKind kind, Placeholders placeholders) {
        this.kind = kind;
        this.placeholders = placeholders;
    }

    /** The paths of what has been bound. */
    Set<DocumentPath> paths() {
        return paths;
    }

    Condition bind(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Or(var operands) ->
                    new Condition.Any(operands.stream().map(this::bind).toList());
            case Syntax.And(var operands) ->
                    new Condition.All(operands.stream().map(this::bind).toList());
            case Syntax.Not(Syntax operand) -> new Condition.Not(bind(operand));
            case Syntax.Parentheses(Syntax inner) -> bind(inner);
            case Syntax.Comparison(Comparator comparator, Syntax left, Syntax right) ->
                    comparison(comparator, left, right);
            case Syntax.Between(Syntax operand, Syntax lower, Syntax upper) ->
                    between(operand, lower, upper);
            case Syntax.In(Syntax operand, var candidates) -> {
                List<Syntax> all = new ArrayList<>(candidates);
                all.addFirst(operand);
                check(all);
                yield new Condition.In(operand(operand), operands(candidates));
            }
            case Syntax.Call(String function, var arguments) -> {
                check(List.of(syntax));
                yield test(function, arguments);
            }
            case Syntax.Path _, Syntax.Value _, Syntax.Arithmetic _ ->
                    throw new IllegalArgumentException("not a condition: " + syntax);
        };
    }

    private Condition comparison(Comparator comparator, Syntax left, Syntax right) {
        check(List.of(left, right));
        Operand l = operand(left);
        Operand r = operand(right);
        requireDistinct(comparator.symbol(), l, r);
        if (comparator.needsOrder()) {
            requireType(comparator.symbol(), ORDERED, l, r);
        }
        return new Condition.Comparison(comparator, l, r);
    }

    private Condition between(Syntax operand, Syntax lower, Syntax upper) {
        check(List.of(operand, lower, upper));
        Condition.Between between =
                new Condition.Between(operand(operand), operand(lower), operand(upper));
        requireType("BETWEEN", ORDERED, between.operand(), between.lower(), between.upper());
        if (between.lower() instanceof Operand.Constant(AttributeValue from)
                && between.upper() instanceof Operand.Constant(AttributeValue to)) {
            requireRange(from, to);
        }
        return between;
    }

    private void requireRange(AttributeValue from, AttributeValue to) {
        String bounds =
                "lower bound operand: AttributeValue: {%s:%s}, upper bound operand: AttributeValue: {%s:%s}"
                        .formatted(from.type(), shown(from), to.type(), shown(to));
        if (from.type() != to.type()) {
            throw kind.invalid(
                    "The BETWEEN operator requires same data type for lower and upper bounds; "
                            + bounds);
        }
        if (Comparator.GREATER.holds(from, to)) {
            throw kind.invalid(
                    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
                            + bounds);
        }
    }

    private static String shown(AttributeValue value) {
        return switch (value) {
            case AttributeValue.S(String text) -> text;
            case AttributeValue.N(var number) -> number.text();
            case AttributeValue.B(var bytes) -> bytes.base64();
            case AttributeValue.Bool _,
                    AttributeValue.Null _,
                    AttributeValue.SS _,
                    AttributeValue.NS _,
                    AttributeValue.BS _,
                    AttributeValue.L _,
                    AttributeValue.M _ ->
                    throw new IllegalArgumentException("no bound of type " + value.type());
        };
    }

    private Condition test(String function, List<Syntax> arguments) {
        List<Operand> operands = operands(arguments);
        Operand first = operands.getFirst();
        Operand last = operands.getLast();
        if (operands.size() == 2) {
            requireDistinct(function, first, last);
        }
        return switch (function) {
            case Functions.ATTRIBUTE_EXISTS -> new Condition.Exists(path(function, first));
            case Functions.ATTRIBUTE_NOT_EXISTS -> new Condition.Missing(path(function, first));
            case Functions.ATTRIBUTE_TYPE -> new Condition.OfType(first, typeName(last));
            case Functions.BEGINS_WITH -> {
                requireType(function, PREFIXED, first, last);
                yield new Condition.BeginsWith(first, last);
            }
            case Functions.CONTAINS -> new Condition.Contains(first, last);
            default -> throw new IllegalArgumentException("no condition: " + function);
        };
    }

    private DocumentPath path(String function, Operand operand) {
        if (operand instanceof Operand.AtPath(DocumentPath path)) {
            return path;
        }
        throw kind.invalid(
                "Operator or function requires a document path; operator or function: " + function);
    }

    private AttributeType typeName(Operand operand) {
        if (!(operand instanceof Operand.Constant(AttributeValue value))) {
            throw incorrectType(Functions.ATTRIBUTE_TYPE, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
        }
        if (!(value instanceof AttributeValue.S(String name))) {
            throw incorrectType(Functions.ATTRIBUTE_TYPE, value.type().name());
        }
        return AttributeType.named(name)
                .orElseThrow(
                        () ->
                                kind.invalid(
                                        "Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
                                                .formatted(name)));
    }

    private List<Operand> operands(List<Syntax> syntaxes) {
        return syntaxes.stream().map(this::operand).toList();
    }

    private Operand operand(Syntax syntax) {
        return switch (syntax.bare()) {
            case Syntax.Value value -> new Operand.Constant(placeholders.resolve(kind, value));
            case Syntax.Path(PathSyntax path) -> new Operand.AtPath(resolve(path));
            case Syntax.Call(_, var arguments) -> size(operand(arguments.getFirst()));
            case Syntax.Or _,
                    Syntax.And _,
                    Syntax.Not _,
                    Syntax.Comparison _,
                    Syntax.Between _,
                    Syntax.In _,
                    Syntax.Arithmetic _,
                    Syntax.Parentheses _ ->
                    throw new IllegalArgumentException("not an operand: " + syntax);
        };
    }

    private Operand size(Operand operand) {
        Optional<AttributeType> type = typeOf(operand).filter(WITHOUT_SIZE::contains);
        if (type.isPresent()) {
            throw incorrectType(Functions.SIZE, type.get().name());
        }
        return new Operand.Size(operand);
    }

    /**
     * Of a condition, the service looks up everything and counts all arguments before it checks
     * anything else.
     */
    private void check(Collection<Syntax> operands) {
        operands.forEach(this::lookUp);
        operands.forEach(this::count);
    }

    private void lookUp(Syntax operand) {
        switch (operand.bare()) {
            case Syntax.Value value -> placeholders.resolve(kind, value);
            case Syntax.Path(PathSyntax path) -> resolve(path);
            case Syntax.Call(_, var arguments) -> arguments.forEach(this::lookUp);
            case Syntax.Or _,
                    Syntax.And _,
                    Syntax.Not _,
                    Syntax.Comparison _,
                    Syntax.Between _,
                    Syntax.In _,
                    Syntax.Arithmetic _,
                    Syntax.Parentheses _ ->
                    throw new IllegalArgumentException("not an operand: " + operand);
        }
    }

    private void count(Syntax operand) {
        if (operand.bare() instanceof Syntax.Call(String function, var arguments)) {
            if (arguments.size() != Functions.arity(function)) {
                throw incorrectNumber(kind, function, arguments.size());
            }
            arguments.forEach(this::count);
        }
    }

    private DocumentPath resolve(PathSyntax syntax) {
        DocumentPath path = placeholders.resolve(kind, syntax);
        paths.add(path);
        return path;
    }

    private void requireDistinct(String operator, Operand first, Operand second) {
        if (first instanceof Operand.AtPath(DocumentPath path) && first.equals(second)) {
            throw kind.invalid(
                    "The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s"
                            .formatted(operator, path));
        }
    }

    private void requireType(String operator, Set<AttributeType> allowed, Operand... operands) {
        for (Operand operand : operands) {
            Optional<AttributeType> type = typeOf(operand);
            if (type.isPresent() && !allowed.contains(type.get())) {
                throw incorrectType(operator, type.get().name());
            }
        }
    }

    /** The type an operand has whatever the item is; empty if that depends on the item. */
    private static Optional<AttributeType> typeOf(Operand operand) {
        return switch (operand) {
            case Operand.Constant(AttributeValue value) -> Optional.of(value.type());
            case Operand.Size _ -> Optional.of(AttributeType.N);
            case Operand.AtPath _ -> Optional.empty();
        };
    }

    private ValidationException incorrectType(String operator, String type) {
        return incorrectType(kind, operator, type);
    }

    static ValidationException incorrectType(ExpressionKind kind, String operator, String type) {
        return kind.invalid(
                "Incorrect operand type for operator or function; operator or function: %s, operand type: %s"
                        .formatted(operator, type));
    }

    static ValidationException incorrectNumber(ExpressionKind kind, String function, int number) {
        return kind.invalid(
                "Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d"
                        .formatted(function, number));
    }
}
