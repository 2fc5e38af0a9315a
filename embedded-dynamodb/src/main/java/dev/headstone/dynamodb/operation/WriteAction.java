package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.expression.ConditionExpression;
import dev.headstone.dynamodb.expression.ExpressionKind;
import dev.headstone.dynamodb.expression.ExpressionParser;
import dev.headstone.dynamodb.expression.UpdateExpression;
import dev.headstone.dynamodb.value.Item;
import java.util.List;
import java.util.Optional;

/** A write of one item, as a request describes it. */
sealed interface WriteAction {
    String tableName();

    Guard guard();

    /**
     * What must hold of the item before.
     *
     * @param tellsItem whether the item is told if it does not
     */
    record Guard(Optional<ConditionExpression> condition, boolean tellsItem) {
        static final Guard NONE = new Guard(Optional.empty(), false);

        static Guard from(Expressions expressions, Parameters parameters) {
            boolean tellsItem =
                    parameters
                            .choice(
                                    "ReturnValuesOnConditionCheckFailure",
                                    List.of("ALL_OLD", "NONE"))
                            .filter("ALL_OLD"::equals)
                            .isPresent();
            return new Guard(expressions.condition(), tellsItem);
        }

        boolean holds(Optional<Item> item) {
            return condition.isEmpty() || condition.get().holds(item.orElse(Item.EMPTY));
        }
    }

    /** Puts an item in the place of the one with its key. */
    record Put(String tableName, Item item, Guard guard) implements WriteAction {}

    /** Changes an item, or makes it. */
    record Update(String tableName, Item key, Optional<UpdateExpression> update, Guard guard)
            implements WriteAction {}

    /** Removes an item. */
    record Delete(String tableName, Item key, Guard guard) implements WriteAction {}

    /** Does nothing but require the condition. */
    record Check(String tableName, Item key, Guard guard) implements WriteAction {}

    static Put put(ExpressionParser parser, Parameters parameters) {
        String table = Tables.name(parameters);
        Item item = parameters.requiredItem("Item");
        Expressions expressions = Expressions.from(parser, parameters, ExpressionKind.CONDITION);
        return new Put(table, item, Guard.from(expressions, parameters));
    }

    static Update update(ExpressionParser parser, Parameters parameters) {
        String table = Tables.name(parameters);
        Item key = parameters.requiredItem("Key");
        Expressions expressions =
                Expressions.from(
                        parser, parameters, ExpressionKind.UPDATE, ExpressionKind.CONDITION);
        return new Update(table, key, expressions.update(), Guard.from(expressions, parameters));
    }

    static Delete delete(ExpressionParser parser, Parameters parameters) {
        String table = Tables.name(parameters);
        Item key = parameters.requiredItem("Key");
        Expressions expressions = Expressions.from(parser, parameters, ExpressionKind.CONDITION);
        return new Delete(table, key, Guard.from(expressions, parameters));
    }

    static Check check(ExpressionParser parser, Parameters parameters) {
        String table = Tables.name(parameters);
        Item key = parameters.requiredItem("Key");
        parameters.requiredText(ExpressionKind.CONDITION.parameter());
        Expressions expressions = Expressions.from(parser, parameters, ExpressionKind.CONDITION);
        return new Check(table, key, Guard.from(expressions, parameters));
    }
}
