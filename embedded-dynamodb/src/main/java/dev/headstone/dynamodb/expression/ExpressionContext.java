package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names and values of one request, and which of them its expressions have used so far. For one
 * thread; the expressions it gives out can be used by several.
 *
 * <p>Read a request's expressions in the service's order, which decides what error a request with
 * several gets: update, condition, key condition, filter, projection; then {@link #requireAllUsed}.
 */
public final class ExpressionContext {
    private final ExpressionParser parser;
    private final Placeholders placeholders;
    private final Set<ExpressionKind> read = EnumSet.noneOf(ExpressionKind.class);

    ExpressionContext(ExpressionParser parser, Placeholders placeholders) {
        this.parser = parser;
        this.placeholders = placeholders;
    }

    /**
     * Reads a condition.
     *
     * @param kind {@link ExpressionKind#CONDITION} or {@link ExpressionKind#FILTER}
     * @throws ValidationException if it is not a valid expression
     */
    public ConditionExpression condition(ExpressionKind kind, String source) {
        ConditionBinder binder = new ConditionBinder(kind, placeholders);
        Condition condition = binder.bind(parser.condition(kind, source));
        read.add(kind);
        return new ConditionExpression(condition, binder.paths());
    }

    /**
     * Reads a condition on keys.
     *
     * @throws ValidationException if it is not a valid expression
     */
    public KeyConditionExpression keyCondition(String source) {
        ExpressionKind kind = ExpressionKind.KEY_CONDITION;
        Condition condition =
                new ConditionBinder(kind, placeholders).bind(parser.condition(kind, source));
        read.add(kind);
        return KeyConditionExpression.of(condition);
    }

    /**
     * Reads an update.
     *
     * @throws ValidationException if it is not a valid expression
     */
    public UpdateExpression update(String source) {
        UpdateExpression update = new UpdateBinder(placeholders).bind(parser.update(source));
        read.add(ExpressionKind.UPDATE);
        return update;
    }

    /**
     * Reads a projection.
     *
     * @throws ValidationException if it is not a valid expression
     */
    public ProjectionExpression projection(String source) {
        ExpressionKind kind = ExpressionKind.PROJECTION;
        List<DocumentPath> paths =
                parser.projection(source).stream()
                        .map(path -> placeholders.resolve(kind, path))
                        .toList();
        Overlap.refuse(kind, paths);
        read.add(kind);
        return new ProjectionExpression(paths);
    }

    /**
     * Refuses names and values that no expression of the request uses. To be called when all have
     * been read.
     *
     * @param accepted the expressions the operation takes, which an error names if the request has
     *     none of them
     * @throws ValidationException naming the placeholders that are not used
     */
    public void requireAllUsed(ExpressionKind... accepted) {
        if (placeholders.haveNames() && read.isEmpty()) {
            throw new ValidationException(
                    "ExpressionAttributeNames can only be specified when using expressions");
        }
        List<String> withValues = new ArrayList<>();
        for (ExpressionKind kind : accepted) {
            if (kind != ExpressionKind.PROJECTION) {
                withValues.add(kind.parameter());
            }
        }
        if (placeholders.haveValues()
                && read.stream().allMatch(kind -> kind == ExpressionKind.PROJECTION)) {
            throw new ValidationException(
                    "ExpressionAttributeValues can only be specified when using expressions: %s %s null"
                            .formatted(
                                    String.join(" and ", withValues),
                                    withValues.size() > 1 ? "are" : "is"));
        }
        refuseUnused("ExpressionAttributeNames", placeholders.unusedNames());
        refuseUnused("ExpressionAttributeValues", placeholders.unusedValues());
    }

    private static void refuseUnused(String parameter, List<String> unused) {
        if (!unused.isEmpty()) {
            throw new ValidationException(
                    unused.stream()
                            .collect(
                                    Collectors.joining(
                                            ", ",
                                            "Value provided in "
                                                    + parameter
                                                    + " unused in expressions: keys: {",
                                            "}")));
        }
    }
}
