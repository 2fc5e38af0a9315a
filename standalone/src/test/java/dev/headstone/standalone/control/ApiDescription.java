package dev.headstone.standalone.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The description of the API as a judge of real answers. Stricter than for readers: an object may
 * have no property that is not described.
 */
final class ApiDescription {
    private static final String BASE = "https://headstone.example/openapi";
    private static final Set<String> METHODS =
            Set.of("get", "head", "post", "put", "patch", "delete", "options");

    private final String text;
    private final JsonNode document;
    private final SchemaRegistry schemas;

    ApiDescription() throws IOException {
        try (InputStream in = Dashboard.class.getResourceAsStream("openapi.yaml")) {
            text = new String(in.readAllBytes(), UTF_8);
        }
        document = new YAMLMapper().readTree(text);
        JsonNode strict = document.deepCopy();
        close(strict.at("/components/schemas"));
        schemas =
                SchemaRegistry.withDefaultDialect(
                        Dialects.getOpenApi31(),
                        registry ->
                                registry.schemas(Map.of(BASE, strict.toString()))
                                        .schemaRegistryConfig(
                                                SchemaRegistryConfig.builder()
                                                        .formatAssertionsEnabled(true)
                                                        .build()));
    }

    private static void close(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.has("properties")
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(ApiDescription::close);
    }

    String text() {
        return text;
    }

    /** All operations, as {@code GET /v1/links/{code}}. */
    Set<String> operations() {
        Set<String> operations = new TreeSet<>();
        document.get("paths")
                .properties()
                .forEach(
                        path ->
                                methods(path.getValue())
                                        .forEach(
                                                method ->
                                                        operations.add(
                                                                upper(method)
                                                                        + " "
                                                                        + path.getKey())));
        return operations;
    }

    private static Stream<String> methods(JsonNode path) {
        return path.propertyStream().map(Map.Entry::getKey).filter(METHODS::contains);
    }

    private static String upper(String method) {
        return method.toUpperCase(java.util.Locale.ROOT);
    }

    /** All operations with each status of theirs that has a description of its own. */
    Set<String> statuses() {
        Set<String> statuses = new TreeSet<>();
        for (String operation : operations()) {
            responses(operation)
                    .fieldNames()
                    .forEachRemaining(
                            status -> {
                                if (!status.equals("default")) {
                                    statuses.add(operation + " " + status);
                                }
                            });
        }
        return statuses;
    }

    /** The methods that are described for a path that is asked for. */
    Set<String> methodsAt(String path) {
        Set<String> methods = new TreeSet<>();
        template(path)
                .ifPresent(
                        template ->
                                methods(document.get("paths").get(template))
                                        .map(ApiDescription::upper)
                                        .forEach(methods::add));
        return methods;
    }

    /** The operation that a request is, if it is described. */
    Optional<String> operation(String method, String path) {
        return template(path)
                .map(template -> method + " " + template)
                .filter(operations()::contains);
    }

    private Optional<String> template(String path) {
        String bare = path.replaceFirst("\\?.*", "");
        return document.get("paths")
                .propertyStream()
                .map(Map.Entry::getKey)
                .sorted() // a literal path comes before one with a parameter
                .filter(
                        template ->
                                Pattern.matches(template.replaceAll("\\{[a-z]+}", "[^/]+"), bare))
                .findFirst();
    }

    private JsonNode responses(String operation) {
        String[] parts = operation.split(" ", 2);
        return document.get("paths")
                .get(parts[1])
                .get(parts[0].toLowerCase(java.util.Locale.ROOT))
                .get("responses");
    }

    /** The description of an answer, or the default one for what the server itself refuses. */
    JsonNode response(String operation, int status) {
        JsonNode responses = responses(operation);
        JsonNode described = responses.path(String.valueOf(status));
        return resolved(described.isMissingNode() ? responses.get("default") : described);
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }

    /** The headers that an answer must have, with the pattern of each. */
    Map<String, Pattern> requiredHeaders(JsonNode response) {
        return response.path("headers")
                .propertyStream()
                .collect(
                        java.util.stream.Collectors.toMap(
                                Map.Entry::getKey,
                                header ->
                                        Pattern.compile(
                                                resolved(header.getValue())
                                                        .at("/schema/pattern")
                                                        .asText())));
    }

    /** What is wrong with a body of that media type; empty if it is as described. */
    List<String> faults(JsonNode response, String mediaType, String body) {
        JsonNode content = response.path("content").path(mediaType);
        if (content.isMissingNode()) {
            return List.of("media type not described: " + mediaType);
        }
        return faults(content.get("schema"), mediaType.endsWith("json") ? body : quoted(body));
    }

    /** What is wrong with a body that is sent to an operation. */
    List<String> faultsOfRequest(String operation, String body) {
        String[] parts = operation.split(" ", 2);
        return faults(
                document.get("paths")
                        .get(parts[1])
                        .get(parts[0].toLowerCase(java.util.Locale.ROOT))
                        .at("/requestBody/content/application~1json/schema"),
                body);
    }

    private static String quoted(String text) {
        return com.fasterxml.jackson.databind.node.TextNode.valueOf(text).toString();
    }

    private List<String> faults(JsonNode schema, String json) {
        Schema judge =
                schema.has("$ref")
                        ? schemas.getSchema(SchemaLocation.of(BASE + schema.get("$ref").asText()))
                        : schemas.getSchema(schema.toString(), InputFormat.JSON);
        return judge.validate(json, InputFormat.JSON).stream().map(Object::toString).toList();
    }
}
