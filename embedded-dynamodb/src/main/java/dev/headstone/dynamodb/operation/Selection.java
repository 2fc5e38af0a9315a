package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.expression.ConditionExpression;
import dev.headstone.dynamodb.expression.DocumentPath;
import dev.headstone.dynamodb.expression.ProjectionExpression;
import dev.headstone.dynamodb.schema.Index;
import dev.headstone.dynamodb.schema.Projection;
import dev.headstone.dynamodb.schema.Table;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What of the items that a Query or Scan reads is returned. */
record Selection(
        boolean countOnly,
        Optional<Set<String>> shownByIndex,
        Optional<ConditionExpression> filter,
        Optional<ProjectionExpression> projection) {

    /** The parameter Select, and whether it fits the others. */
    static Selection from(
            Parameters parameters, Table table, Optional<Index> index, Expressions expressions) {
        Optional<String> select = select(parameters);
        Optional<ProjectionExpression> projection = expressions.projection();
        Optional<Set<String>> shown = index.flatMap(one -> one.shown(table.key()));
        if (select.isPresent()) {
            require(select.get(), index, projection);
        }
        if (index.isPresent() && shown.isPresent() && projection.isPresent()) {
            requireShown(index.get(), shown.get(), projection.get());
        }
        return new Selection(
                select.filter("COUNT"::equals).isPresent(),
                shown,
                expressions.filter(),
                projection);
    }

    static Optional<String> select(Parameters parameters) {
        return parameters.choice(
                "Select",
                List.of(
                        "SPECIFIC_ATTRIBUTES",
                        "COUNT",
                        "ALL_ATTRIBUTES",
                        "ALL_PROJECTED_ATTRIBUTES"));
    }

    private static void require(
            String select, Optional<Index> index, Optional<ProjectionExpression> projection) {
        if (projection.isPresent() && !select.equals("SPECIFIC_ATTRIBUTES")) {
            throw new ValidationException(
                    "Cannot specify the ProjectionExpression when choosing to get "
                            + switch (select) {
                                case "COUNT" -> "only the Count";
                                case "ALL_ATTRIBUTES" -> "ALL_ATTRIBUTES";
                                default -> "ALL_PROJECTED_ATTRIBUTES";
                            });
        }
        switch (select) {
            case "SPECIFIC_ATTRIBUTES" -> {
                if (projection.isEmpty()) {
                    throw new ValidationException(
                            "Must specify the ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
                }
            }
            case "ALL_PROJECTED_ATTRIBUTES" -> {
                if (index.isEmpty()) {
                    throw new ValidationException(
                            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
                }
            }
            case "ALL_ATTRIBUTES" -> {
                if (index.isPresent() && !(index.get().projection() instanceof Projection.All)) {
                    throw new ValidationException(
                            "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL"
                                    .formatted(index.get().name()));
                }
            }
            default -> {} // COUNT goes with everything
        }
    }

    private static void requireShown(
            Index index, Set<String> shown, ProjectionExpression projection) {
        List<String> missing =
                projection.paths().stream()
                        .map(DocumentPath::attribute)
                        .filter(name -> !shown.contains(name))
                        .distinct()
                        .toList();
        if (!missing.isEmpty()) {
            throw new ValidationException(
                    "One or more parameter values were invalid: Global secondary index %s does not project [%s]"
                            .formatted(index.name(), String.join(", ", missing)));
        }
    }

    /** The item as the index holds it. */
    Item visible(Item item) {
        return shownByIndex.map(item::only).orElse(item);
    }

    /** Whether an item that was read is returned. */
    boolean matches(Item visible) {
        return filter.isEmpty() || filter.get().holds(visible);
    }

    /** The part of an item that is returned. */
    Item part(Item visible) {
        return projection.map(selected -> selected.of(visible)).orElse(visible);
    }
}
