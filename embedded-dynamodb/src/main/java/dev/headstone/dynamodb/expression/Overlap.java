package dev.headstone.dynamodb.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Refuses paths of one expression that cannot stand side by side. */
final class Overlap {
    private enum Relation {
        APART,
        /** One leads into what the other leads to. */
        OVERLAPPING,
        /** One takes for a map what the other takes for a list. */
        CONFLICTING
    }

    private Overlap() {}

    static void refuse(ExpressionKind kind, List<DocumentPath> paths) {
        refuse(kind, paths, Relation.OVERLAPPING, "Two document paths overlap with each other;");
        refuse(kind, paths, Relation.CONFLICTING, "Two document paths conflict with each other;");
    }

    private static void refuse(
            ExpressionKind kind, List<DocumentPath> paths, Relation refused, String why) {
        Map<String, List<DocumentPath>> earlier = new HashMap<>();
        for (DocumentPath path : paths) {
            List<DocumentPath> sameAttribute =
                    earlier.computeIfAbsent(path.attribute(), _ -> new ArrayList<>());
            for (DocumentPath other : sameAttribute) {
                if (relation(other, path) == refused) {
                    throw kind.invalid(
                            why
                                    + " must remove or rewrite one of these paths; path one: %s, path two: %s"
                                            .formatted(other, path));
                }
            }
            sameAttribute.add(path);
        }
    }

    private static Relation relation(DocumentPath one, DocumentPath two) {
        int shared = Math.min(one.steps().size(), two.steps().size());
        for (int i = 0; i < shared; i++) {
            DocumentPath.Step a = one.steps().get(i);
            DocumentPath.Step b = two.steps().get(i);
            if (!a.equals(b)) {
                return a.getClass() == b.getClass() ? Relation.APART : Relation.CONFLICTING;
            }
        }
        return Relation.OVERLAPPING;
    }
}
