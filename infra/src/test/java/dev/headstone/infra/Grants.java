package dev.headstone.infra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who is allowed what, over all stacks, in words short enough to compare. */
final class Grants {
    /** Of a reference, in or out of its stack, the resource's own name. */
    private static final Pattern REFERENCE =
            Pattern.compile(
                    "(?:ExportsOutput(?:Ref|FnGetAtt)|\"Ref\":\"|GetAtt\":\\[\")([A-Za-z0-9]+?)[0-9A-F]{8}(StreamArn|Arn|)?");

    private final Map<String, Set<String>> byRole = new TreeMap<>();

    Grants(Templates templates) {
        for (JsonNode policy : templates.resources("AWS::IAM::Policy").values()) {
            for (JsonNode role : policy.at("/Properties/Roles")) {
                for (JsonNode statement : policy.at("/Properties/PolicyDocument/Statement")) {
                    add(name(role), statement);
                }
            }
        }
    }

    private void add(String role, JsonNode statement) {
        for (JsonNode action : Templates.each(statement.path("Action"))) {
            for (JsonNode resource : Templates.each(statement.path("Resource"))) {
                String condition = statement.has("Condition") ? " if " + keys(statement) : "";
                byRole.computeIfAbsent(role, _ -> new TreeSet<>())
                        .add(action.asText() + " " + name(resource) + condition);
            }
        }
    }

    private static String keys(JsonNode statement) {
        List<String> keys = new ArrayList<>();
        statement
                .path("Condition")
                .forEach(operator -> operator.fieldNames().forEachRemaining(keys::add));
        return String.join(",", keys);
    }

    private static String name(JsonNode reference) {
        if (reference.isTextual()) {
            return reference.asText();
        }
        Matcher matcher = REFERENCE.matcher(reference.toString());
        String text = reference.toString();
        String suffix =
                text.contains("/index/by_time")
                        ? "/index/by_time"
                        : text.contains("/aws/lambda/*") ? "/aws/lambda/*" : "";
        if (text.contains(":parameter/")) {
            return "parameter" + text.replaceAll(".*:parameter([^\"]*)\".*", "$1");
        }
        if (text.contains(":user:")) {
            return "user" + text.replaceAll(".*:user(:[^\"]*)\".*", "$1");
        }
        return matcher.find()
                ? matcher.group(1) + (text.contains("StreamArn") ? "(stream)" : "") + suffix
                : text;
    }

    /** Each as {@code action resource}. */
    Set<String> of(String role) {
        return byRole.getOrDefault(role, Set.of());
    }

    Set<String> roles() {
        return byRole.keySet();
    }

    /** The roles that may do {@code action} with {@code resource}, conditions apart. */
    Set<String> whoMay(String action, String resource) {
        Set<String> who = new TreeSet<>();
        byRole.forEach(
                (role, grants) -> {
                    if (grants.contains(action + " " + resource)) {
                        who.add(role);
                    }
                });
        return who;
    }

    Map<String, Set<String>> all() {
        return byRole;
    }
}
