package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.error.ServiceException;
import dev.headstone.dynamodb.schema.Arns;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.storage.View;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.regex.Pattern;

/** Finds the tables that requests name. */
final class Tables {
    private static final int MIN_NAME = 3;
    private static final int MAX_NAME = 255;
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]+");

    private final Catalog catalog;

    Tables(Catalog catalog) {
        this.catalog = catalog;
    }

    /** The parameter TableName: a name of the right form, or an ARN. */
    static String name(Parameters parameters) {
        return checked(parameters, "TableName", parameters.requiredText("TableName"));
    }

    static String checked(Parameters parameters, String parameter, String nameOrArn) {
        String name = Arns.tableName(nameOrArn);
        if (name.length() < MIN_NAME || name.length() > MAX_NAME) {
            throw new ValidationException(
                    "TableName must be at least %d characters long and at most %d characters long"
                            .formatted(MIN_NAME, MAX_NAME));
        }
        if (!NAME.matcher(name).matches()) {
            throw parameters.violated(
                    parameter,
                    "'" + name + "'",
                    "Member must satisfy regular expression pattern: " + NAME.pattern());
        }
        return name;
    }

    /** The table of an operation on items. */
    Table ofItems(View view, String name) {
        return catalog.table(view, name).orElseThrow(ServiceException::notFound);
    }

    /** The table of an operation on tables. */
    Table itself(View view, String name) {
        return catalog.table(view, name).orElseThrow(() -> ServiceException.noTable(name));
    }
}
