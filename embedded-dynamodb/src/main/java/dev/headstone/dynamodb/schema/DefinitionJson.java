package dev.headstone.dynamodb.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.dynamodb.storage.Tree;
import dev.headstone.dynamodb.value.AttributeType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Tables and streams as they are stored. */
final class DefinitionJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private DefinitionJson() {}

    static byte[] encode(Table table) {
        ObjectNode json = JSON.createObjectNode();
        json.put("name", table.name());
        json.put("id", table.id());
        json.put("created_at", table.createdAt().toString());
        json.set("key", key(table.key()));
        json.set("attributes", list(table.attributes(), DefinitionJson::attribute));
        json.set("indexes", list(table.indexes(), DefinitionJson::index));
        json.set("billing", billing(table.billing()));
        json.put("deletion_protected", table.deletionProtected());
        table.timeToLive()
                .ifPresent(
                        ttl ->
                                json.putObject("time_to_live")
                                        .put("attribute", ttl.attribute())
                                        .put("tree", ttl.byExpiry().id()));
        table.stream().ifPresent(stream -> json.set("stream", stream(stream)));
        json.put("tree", table.items().id());
        return bytes(json);
    }

    static Table table(byte[] encoded) {
        JsonNode json = read(encoded);
        return new Table(
                json.required("name").textValue(),
                json.required("id").textValue(),
                Instant.parse(json.required("created_at").textValue()),
                key(json.required("key")),
                list(json.required("attributes"), DefinitionJson::attribute),
                list(json.required("indexes"), DefinitionJson::index),
                billing(json.required("billing")),
                json.required("deletion_protected").booleanValue(),
                optional(json, "time_to_live")
                        .map(
                                ttl ->
                                        new TimeToLive(
                                                ttl.required("attribute").textValue(), tree(ttl))),
                optional(json, "stream").map(DefinitionJson::stream),
                tree(json));
    }

    static byte[] encode(Stream stream) {
        return bytes(stream(stream));
    }

    static Stream decodeStream(byte[] encoded) {
        return stream(read(encoded));
    }

    private static ObjectNode stream(Stream stream) {
        ObjectNode json = JSON.createObjectNode();
        json.put("table", stream.tableName());
        json.put("label", stream.label());
        json.put("view", stream.viewType().name());
        json.set("key", key(stream.key()));
        json.put("created_at", stream.createdAt().toString());
        stream.disabledAt().ifPresent(at -> json.put("disabled_at", at.toString()));
        json.put("tree", stream.records().id());
        return json;
    }

    private static Stream stream(JsonNode json) {
        return new Stream(
                json.required("table").textValue(),
                json.required("label").textValue(),
                StreamViewType.valueOf(json.required("view").textValue()),
                key(json.required("key")),
                Instant.parse(json.required("created_at").textValue()),
                optional(json, "disabled_at").map(at -> Instant.parse(at.textValue())),
                tree(json));
    }

    private static ObjectNode index(Index index) {
        ObjectNode json = JSON.createObjectNode();
        json.put("name", index.name());
        json.set("key", key(index.key()));
        switch (index.projection()) {
            case Projection.All _ -> json.put("projection", "ALL");
            case Projection.KeysOnly _ -> json.put("projection", "KEYS_ONLY");
            case Projection.Include(var names) -> {
                json.put("projection", "INCLUDE");
                names.forEach(json.putArray("names")::add);
            }
        }
        json.put("tree", index.entries().id());
        return json;
    }

    private static Index index(JsonNode json) {
        String kind = json.required("projection").textValue();
        Projection projection =
                switch (kind) {
                    case "ALL" -> new Projection.All();
                    case "KEYS_ONLY" -> new Projection.KeysOnly();
                    case "INCLUDE" ->
                            new Projection.Include(
                                    list(json.required("names"), JsonNode::textValue));
                    default -> throw new IllegalStateException("no projection " + kind);
                };
        return new Index(
                json.required("name").textValue(),
                key(json.required("key")),
                projection,
                tree(json));
    }

    private static ObjectNode billing(Billing billing) {
        ObjectNode json = JSON.createObjectNode();
        return switch (billing) {
            case Billing.PayPerRequest _ -> json.put("mode", "PAY_PER_REQUEST");
            case Billing.Provisioned(long reads, long writes) ->
                    json.put("mode", "PROVISIONED").put("read", reads).put("write", writes);
        };
    }

    private static Billing billing(JsonNode json) {
        return json.required("mode").textValue().equals("PAY_PER_REQUEST")
                ? new Billing.PayPerRequest()
                : new Billing.Provisioned(
                        json.required("read").longValue(), json.required("write").longValue());
    }

    private static ArrayNode key(KeySchema key) {
        return list(key.attributes(), DefinitionJson::attribute);
    }

    private static KeySchema key(JsonNode json) {
        List<KeyAttribute> attributes = list(json, DefinitionJson::attribute);
        return new KeySchema(attributes.getFirst(), attributes.stream().skip(1).findFirst());
    }

    private static ObjectNode attribute(KeyAttribute attribute) {
        return JSON.createObjectNode()
                .put("name", attribute.name())
                .put("type", attribute.type().name());
    }

    private static KeyAttribute attribute(JsonNode json) {
        return new KeyAttribute(
                json.required("name").textValue(),
                AttributeType.valueOf(json.required("type").textValue()));
    }

    private static Tree tree(JsonNode json) {
        return new Tree(json.required("tree").intValue());
    }

    private static Optional<JsonNode> optional(JsonNode json, String name) {
        return Optional.ofNullable(json.get(name));
    }

    private static <T> ArrayNode list(List<T> elements, Function<T, ObjectNode> encoding) {
        ArrayNode array = JSON.createArrayNode();
        elements.forEach(element -> array.add(encoding.apply(element)));
        return array;
    }

    private static <T> List<T> list(JsonNode json, Function<JsonNode, T> decoding) {
        List<T> elements = new ArrayList<>(json.size());
        json.forEach(element -> elements.add(decoding.apply(element)));
        return elements;
    }

    private static byte[] bytes(ObjectNode json) {
        try {
            return JSON.writeValueAsBytes(json);
        } catch (IOException e) {
            throw new UncheckedIOException("a definition could not be encoded", e);
        }
    }

    private static JsonNode read(byte[] encoded) {
        try {
            return JSON.readTree(encoded);
        } catch (IOException e) {
            throw new UncheckedIOException("a stored definition is damaged", e);
        }
    }
}
