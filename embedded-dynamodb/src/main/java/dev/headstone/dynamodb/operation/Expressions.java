package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.headstone.dynamodb.expression.ConditionExpression;
import dev.headstone.dynamodb.expression.ExpressionContext;
import dev.headstone.dynamodb.expression.ExpressionKind;
import dev.headstone.dynamodb.expression.ExpressionParser;
import dev.headstone.dynamodb.expression.KeyConditionExpression;
import dev.headstone.dynamodb.expression.ProjectionExpression;
import dev.headstone.dynamodb.expression.UpdateExpression;
import java.util.Optional;

/** The expressions of one request, or of one action of it. */
record Expressions(
        Optional<UpdateExpression> update,
        Optional<ConditionExpression> condition,
        Optional<KeyConditionExpression> keyCondition,
        Optional<ConditionExpression> filter,
        Optional<ProjectionExpression> projection) {

    /**
     * Reads those of the {@code accepted} expressions that the request has, in the order that
     * decides which fault is told first.
     */
    static Expressions from(
            ExpressionParser parser, Parameters parameters, ExpressionKind... accepted) {
        JsonNode names = parameters.raw("ExpressionAttributeNames");
        JsonNode values =
                takesValues(accepted)
                        ? parameters.raw("ExpressionAttributeValues")
                        : MissingNode.getInstance();
        ExpressionContext context = parser.context(names, values);
        Expressions expressions =
                new Expressions(
                        source(parameters, ExpressionKind.UPDATE, accepted).map(context::update),
                        source(parameters, ExpressionKind.CONDITION, accepted)
                                .map(text -> context.condition(ExpressionKind.CONDITION, text)),
                        source(parameters, ExpressionKind.KEY_CONDITION, accepted)
                                .map(context::keyCondition),
                        source(parameters, ExpressionKind.FILTER, accepted)
                                .map(text -> context.condition(ExpressionKind.FILTER, text)),
                        source(parameters, ExpressionKind.PROJECTION, accepted)
                                .map(context::projection));
        context.requireAllUsed(accepted);
        return expressions;
    }

    private static boolean takesValues(ExpressionKind... accepted) {
        for (ExpressionKind kind : accepted) {
            if (kind != ExpressionKind.PROJECTION) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> source(
            Parameters parameters, ExpressionKind kind, ExpressionKind... accepted) {
        for (ExpressionKind candidate : accepted) {
            if (candidate == kind) {
                return parameters.text(kind.parameter());
            }
        }
        return Optional.empty();
    }
}
