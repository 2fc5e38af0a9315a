package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.assertions.Annotations;
import software.amazon.awscdk.assertions.Match;
import software.amazon.awscdk.assertions.Template;
import software.amazon.awscdk.cxapi.SynthesisMessage;

/** The templates of a usual deployment, made once for all tests: that takes most of their time. */
final class Templates {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Templates USUAL = new Templates(new App(), usual(Optional.empty()));

    private final Headstone headstone;
    private final Map<String, JsonNode> byStack = new TreeMap<>();

    private Templates(App app, Settings settings) {
        headstone = Headstone.in(app, settings);
        for (Stack stack : stacks(app)) {
            byStack.put(stack.getStackName(), JSON.valueToTree(Template.fromStack(stack).toJSON()));
        }
    }

    static Templates usual() {
        return USUAL;
    }

    static Templates of(Settings settings) {
        return new Templates(new App(), settings);
    }

    static Settings usual(Optional<Settings.Domain> domain) {
        return new Settings(domain, Optional.empty(), new StubJars());
    }

    /** As good as a jar for whoever looks only at its name. */
    static final class StubJars implements Artifacts {
        private final Path jar = stub();

        private static Path stub() {
            try {
                Path jar = Files.createTempFile("headstone-stub", "-lambda.jar");
                jar.toFile().deleteOnExit();
                return Files.writeString(jar, "not a jar");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Path jar(FunctionKind function) {
            return jar;
        }
    }

    private static List<Stack> stacks(App app) {
        return app.getNode().getChildren().stream()
                .filter(Stack.class::isInstance)
                .map(Stack.class::cast)
                .toList();
    }

    Headstone headstone() {
        return headstone;
    }

    Map<String, JsonNode> all() {
        return byStack;
    }

    /** What cdk-nag and the CDK itself say against it, as they say it. */
    List<String> findings() {
        return Stream.of(
                        headstone.network(),
                        headstone.data(),
                        headstone.cache(),
                        headstone.redirect(),
                        headstone.edge(),
                        headstone.functions(),
                        headstone.alarms())
                .flatMap(Templates::findings)
                .toList();
    }

    private static Stream<String> findings(Stack stack) {
        Annotations annotations = Annotations.fromStack(stack);
        return Stream.of(
                        annotations.findError("*", Match.stringLikeRegexp(".*")),
                        annotations.findWarning("*", Match.stringLikeRegexp(".*")))
                .flatMap(List::stream)
                .map(Templates::text);
    }

    @SuppressWarnings("deprecation") // what replaces it has no Java binding yet
    private static String text(SynthesisMessage message) {
        return message.getId() + ": " + message.getEntry().getData();
    }

    /** All resources of that type in all stacks, by name. */
    Map<String, JsonNode> resources(String type) {
        Map<String, JsonNode> found = new TreeMap<>();
        for (JsonNode template : byStack.values()) {
            template.path("Resources")
                    .properties()
                    .forEach(
                            resource -> {
                                if (resource.getValue().path("Type").asText().equals(type)) {
                                    found.put(resource.getKey(), resource.getValue());
                                }
                            });
        }
        return found;
    }

    /** The functions that speak to the cache, by name. */
    Map<String, JsonNode> functionsOfTheCache() {
        Map<String, JsonNode> found = resources("AWS::Lambda::Function");
        found.values()
                .removeIf(
                        function ->
                                !function.at("/Properties/Environment/Variables")
                                        .has("HEADSTONE_REDIS"));
        return found;
    }

    /** The properties of the only resource of that type whose name begins so. */
    JsonNode only(String type, String name) {
        return onlyResource(type, name).path("Properties");
    }

    JsonNode onlyResource(String type, String name) {
        List<JsonNode> found =
                resources(type).entrySet().stream()
                        .filter(resource -> resource.getKey().matches(name + "([0-9A-F]{8})?"))
                        .map(Map.Entry::getValue)
                        .toList();
        assertThat(found).as("%s %s", type, name).hasSize(1);
        return found.getFirst();
    }

    /** The properties of the only resource of that type. */
    JsonNode only(String type) {
        Map<String, JsonNode> found = resources(type);
        assertThat(found).as(type).hasSize(1);
        return found.values().iterator().next().path("Properties");
    }

    /** The values of an array, or the only value that stands where one may stand. */
    static List<JsonNode> each(JsonNode node) {
        return node.isArray()
                ? Stream.iterate(0, i -> i < node.size(), i -> i + 1).map(node::get).toList()
                : List.of(node);
    }
}
