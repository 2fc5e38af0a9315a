package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names and values given with a request, and which of them its expressions have used. */
final class Placeholders {
    private final Map<String, String> names;
    private final Map<String, AttributeValue> values;
    private final Set<String> usedNames = new HashSet<>();
    private final Set<String> usedValues = new HashSet<>();

    Placeholders(Map<String, String> names, Map<String, AttributeValue> values) {
        this.names = names;
        this.values = values;
    }

    DocumentPath resolve(ExpressionKind kind, PathSyntax syntax) {
        List<DocumentPath.Step> steps = new ArrayList<>(syntax.steps().size() - 1);
        for (PathSyntax.Step step : syntax.steps().subList(1, syntax.steps().size())) {
            steps.add(
                    switch (step) {
                        case PathSyntax.Index(int index) -> new DocumentPath.Element(index);
                        case PathSyntax.Literal(String name) -> new DocumentPath.Entry(name);
                        case PathSyntax.Reference(String name) ->
                                new DocumentPath.Entry(name(kind, name));
                    });
        }
        return new DocumentPath(
                switch (syntax.steps().getFirst()) {
                    case PathSyntax.Literal(String name) -> name;
                    case PathSyntax.Reference(String name) -> name(kind, name);
                    case PathSyntax.Index(int index) ->
                            throw new IllegalArgumentException(
                                    "a path begins with [" + index + "]");
                },
                steps);
    }

    AttributeValue resolve(ExpressionKind kind, Syntax.Value syntax) {
        AttributeValue value = values.get(syntax.name());
        if (value == null) {
            throw kind.invalid(
                    "An expression attribute value used in expression is not defined; attribute value: "
                            + syntax.name());
        }
        usedValues.add(syntax.name());
        return value;
    }

    private String name(ExpressionKind kind, String reference) {
        String name = names.get(reference);
        if (name == null) {
            throw kind.invalid(
                    "An expression attribute name used in the document path is not defined; attribute name: "
                            + reference);
        }
        usedNames.add(reference);
        return name;
    }

    List<String> unusedNames() {
        return names.keySet().stream().filter(name -> !usedNames.contains(name)).toList();
    }

    List<String> unusedValues() {
        return values.keySet().stream().filter(name -> !usedValues.contains(name)).toList();
    }

    boolean haveNames() {
        return !names.isEmpty();
    }

    boolean haveValues() {
        return !values.isEmpty();
    }
}
