package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.ValidationException;

/** Which of a request's expressions one is; errors name it by its request parameter. */
public enum ExpressionKind {
    /** Decides whether a write takes place. */
    CONDITION("ConditionExpression"),
    /** Decides which of the items read are returned. */
    FILTER("FilterExpression"),
    /** Selects the keys a query reads. */
    KEY_CONDITION("KeyConditionExpression"),
    /** Selects the attributes that are returned. */
    PROJECTION("ProjectionExpression"),
    /** Says what an update changes. */
    UPDATE("UpdateExpression");

    private final String parameter;

    ExpressionKind(String parameter) {
        this.parameter = parameter;
    }

    /** The name of the request's parameter that holds the expression. */
    public String parameter() {
        return parameter;
    }

    ValidationException invalid(String why) {
        return new ValidationException("Invalid " + parameter + ": " + why);
    }
}
