package dev.headstone.dynamodb.expression;

import java.util.Map;

/**
 * The functions of expressions and how many arguments each takes. Their names are case-sensitive.
 */
final class Functions {
    static final String ATTRIBUTE_EXISTS = "attribute_exists";
    static final String ATTRIBUTE_NOT_EXISTS = "attribute_not_exists";
    static final String ATTRIBUTE_TYPE = "attribute_type";
    static final String BEGINS_WITH = "begins_with";
    static final String CONTAINS = "contains";
    static final String SIZE = "size";
    static final String IF_NOT_EXISTS = "if_not_exists";
    static final String LIST_APPEND = "list_append";

    private static final Map<String, Integer> OF_CONDITIONS =
            Map.of(
                    ATTRIBUTE_EXISTS,
                    1,
                    ATTRIBUTE_NOT_EXISTS,
                    1,
                    ATTRIBUTE_TYPE,
                    2,
                    BEGINS_WITH,
                    2,
                    CONTAINS,
                    2,
                    SIZE,
                    1);

    private static final Map<String, Integer> OF_UPDATES = Map.of(IF_NOT_EXISTS, 2, LIST_APPEND, 2);

    private Functions() {}

    static boolean areOfConditions(String name) {
        return OF_CONDITIONS.containsKey(name);
    }

    static boolean areOfUpdates(String name) {
        return OF_UPDATES.containsKey(name);
    }

    /** What is wrong with the function being where another kind of operand belongs. */
    static String misused(String name) {
        return "The function is not allowed to be used this way in an expression; function: "
                + name;
    }

    /** The number of arguments the function takes. */
    static int arity(String name) {
        Integer arity = OF_CONDITIONS.getOrDefault(name, OF_UPDATES.get(name));
        if (arity == null) {
            throw new IllegalArgumentException("no function " + name);
        }
        return arity;
    }
}
