package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeType;
import dev.headstone.dynamodb.value.AttributeValue;
import dev.headstone.dynamodb.value.Bytes;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The condition on the keys a query reads: one per key attribute. Immutable and safe for use by
 * several threads.
 */
public final class KeyConditionExpression {
    /**
     * An attribute of a key.
     *
     * @param type S, N or B
     */
    public record KeyAttribute(String name, AttributeType type) {}

    private static final ExpressionKind KIND = ExpressionKind.KEY_CONDITION;

    private final Map<String, SortCondition> conditions;

    private KeyConditionExpression(Map<String, SortCondition> conditions) {
        this.conditions = conditions;
    }

    static KeyConditionExpression of(Condition condition) {
        Map<String, SortCondition> conditions = new LinkedHashMap<>();
        collect(condition, conditions);
        return new KeyConditionExpression(conditions);
    }

    /** The names of the attributes that have a condition. */
    public List<String> attributes() {
        return List.copyOf(conditions.keySet());
    }

    /**
     * What the condition means for a key of one or two attributes.
     *
     * @throws ValidationException if it leaves out the partition key or asks for anything but one
     *     value of it, has a condition on another attribute, or compares with a value of another
     *     type
     */
    public QueriedKeys on(KeyAttribute hash, Optional<KeyAttribute> sort) {
        int attributes = sort.isPresent() ? 2 : 1;
        if (conditions.size() > attributes) {
            throw new ValidationException(
                    "The number of query conditions (%d) exceeds the number of key attributes defined in the schema (%d)"
                            .formatted(conditions.size(), attributes));
        }
        SortCondition onHash = required(hash);
        Optional<SortCondition> onSort =
                conditions.size() == 2 ? sort.map(this::required) : Optional.empty();
        if (!(onHash instanceof SortCondition.Equal(AttributeValue value))) {
            throw new ValidationException("Query key condition not supported");
        }
        return new QueriedKeys(value, onSort);
    }

    private SortCondition required(KeyAttribute attribute) {
        SortCondition condition = conditions.get(attribute.name());
        if (condition == null) {
            throw new ValidationException(
                    "Query condition missed key schema element: " + attribute.name());
        }
        for (AttributeValue value : values(condition)) {
            check(attribute, value);
        }
        return condition;
    }

    private static void check(KeyAttribute attribute, AttributeValue value) {
        if (value.type() != attribute.type()) {
            throw new ValidationException(
                    "One or more parameter values were invalid: Condition parameter type does not match schema type");
        }
        if (value instanceof AttributeValue.S(String text) && text.isEmpty()) {
            throw emptyKey(attribute, "string");
        }
        if (value instanceof AttributeValue.B(Bytes bytes) && bytes.length() == 0) {
            throw emptyKey(attribute, "binary");
        }
    }

    private static ValidationException emptyKey(KeyAttribute attribute, String what) {
        return new ValidationException(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s"
                        .formatted(what, attribute.name()));
    }

    private static List<AttributeValue> values(SortCondition condition) {
        return switch (condition) {
            case SortCondition.Equal(var value) -> List.of(value);
            case SortCondition.Less(var bound) -> List.of(bound);
            case SortCondition.LessOrEqual(var bound) -> List.of(bound);
            case SortCondition.Greater(var bound) -> List.of(bound);
            case SortCondition.GreaterOrEqual(var bound) -> List.of(bound);
            case SortCondition.Between(var lower, var upper) -> List.of(lower, upper);
            case SortCondition.BeginsWith(var prefix) -> List.of(prefix);
        };
    }

    private static void collect(Condition condition, Map<String, SortCondition> conditions) {
        switch (condition) {
            case Condition.All(var all) -> all.forEach(one -> collect(one, conditions));
            case Condition.Comparison(Comparator comparator, Operand left, Operand right) ->
                    comparison(comparator, left, right, conditions);
            case Condition.Between(Operand operand, Operand lower, Operand upper) -> {
                requirePathFirst("BETWEEN", operand);
                put(
                        attribute(operand, lower, upper),
                        new SortCondition.Between(constant(lower), constant(upper)),
                        conditions);
            }
            case Condition.BeginsWith(Operand operand, Operand beginning) -> {
                requirePathFirst(Functions.BEGINS_WITH, operand);
                put(
                        attribute(operand, beginning),
                        new SortCondition.BeginsWith(constant(beginning)),
                        conditions);
            }
            case Condition.Any _ -> throw invalidOperator("OR");
            case Condition.Not _ -> throw invalidOperator("NOT");
            case Condition.In _ -> throw invalidOperator("IN");
            case Condition.Exists _ -> throw invalidOperator(Functions.ATTRIBUTE_EXISTS);
            case Condition.Missing _ -> throw invalidOperator(Functions.ATTRIBUTE_NOT_EXISTS);
            case Condition.OfType _ -> throw invalidOperator(Functions.ATTRIBUTE_TYPE);
            case Condition.Contains _ -> throw invalidOperator(Functions.CONTAINS);
        }
    }

    private static void comparison(
            Comparator comparator,
            Operand left,
            Operand right,
            Map<String, SortCondition> conditions) {
        if (comparator == Comparator.NOT_EQUAL) {
            throw invalidOperator(comparator.symbol());
        }
        String attribute = attribute(left, right);
        boolean valueFirst = left instanceof Operand.Constant;
        AttributeValue value = constant(valueFirst ? left : right);
        put(
                attribute,
                switch (valueFirst ? comparator.mirrored() : comparator) {
                    case EQUAL, NOT_EQUAL -> new SortCondition.Equal(value);
                    case LESS -> new SortCondition.Less(value);
                    case LESS_OR_EQUAL -> new SortCondition.LessOrEqual(value);
                    case GREATER -> new SortCondition.Greater(value);
                    case GREATER_OR_EQUAL -> new SortCondition.GreaterOrEqual(value);
                },
                conditions);
    }

    private static void put(
            String attribute, SortCondition condition, Map<String, SortCondition> conditions) {
        if (conditions.putIfAbsent(attribute, condition) != null) {
            throw KIND.invalid("KeyConditionExpressions must only contain one condition per key");
        }
    }

    /** The one attribute among the operands; the others are values. */
    private static String attribute(Operand... operands) {
        List<String> attributes = new ArrayList<>();
        for (Operand operand : operands) {
            switch (operand) {
                case Operand.Constant _ -> {}
                case Operand.Size _ ->
                        throw KIND.invalid(
                                "KeyConditionExpressions cannot contain nested operations");
                case Operand.AtPath(DocumentPath path) -> {
                    if (!attributes.isEmpty()) {
                        throw KIND.invalid(
                                "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition");
                    }
                    if (path.isNested()) {
                        throw KIND.invalid(
                                "KeyConditionExpressions cannot have conditions on nested attributes");
                    }
                    attributes.add(path.attribute());
                }
            }
        }
        if (attributes.isEmpty()) {
            throw KIND.invalid(
                    "Invalid condition in KeyConditionExpression: No key attribute specified");
        }
        return attributes.getFirst();
    }

    private static AttributeValue constant(Operand operand) {
        if (operand instanceof Operand.Constant(AttributeValue value)) {
            return value;
        }
        throw new IllegalArgumentException("not a value: " + operand);
    }

    private static void requirePathFirst(String operator, Operand operand) {
        if (!(operand instanceof Operand.AtPath)) {
            throw KIND.invalid(
                    "Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand"
                            .formatted(operator));
        }
    }

    private static ValidationException invalidOperator(String operator) {
        return KIND.invalid("Invalid operator used in KeyConditionExpression: " + operator);
    }
}
