package dev.headstone.dynamodb.operation;

import dev.headstone.dynamodb.schema.Billing;
import dev.headstone.dynamodb.schema.KeyAttribute;
import dev.headstone.dynamodb.schema.KeySchema;
import dev.headstone.dynamodb.schema.Projection;
import dev.headstone.dynamodb.schema.StreamViewType;
import dev.headstone.dynamodb.value.AttributeType;
import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a CreateTable asks for. */
record TableCreation(
        String name,
        KeySchema key,
        List<KeyAttribute> attributes,
        List<NewIndex> indexes,
        Billing billing,
        boolean deletionProtected,
        Optional<StreamViewType> stream) {
    private static final int MAX_INDEXES = 20;
    private static final int MAX_NON_KEY_ATTRIBUTES = 100;
    private static final Pattern INDEX_NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");

    record NewIndex(String name, KeySchema key, Projection projection) {}

    static TableCreation from(Parameters parameters) {
        String name = Tables.name(parameters);
        Map<String, AttributeType> types = attributeTypes(parameters);
        Set<String> used = new HashSet<>();
        KeySchema key = key(parameters, types, used);
        Billing billing = billing(parameters);
        List<NewIndex> indexes = new ArrayList<>();
        for (Parameters index :
                parameters.structures("GlobalSecondaryIndexes").orElseGet(List::of)) {
            indexes.add(index(index, types, used, billing));
        }
        requireIndexes(indexes);
        if (!used.equals(types.keySet())) {
            throw invalid(
                    "Number of attributes in KeySchema does not exactly match number of attributes defined in"
                            + " AttributeDefinitions");
        }
        Optional<StreamViewType> stream =
                parameters.structure("StreamSpecification").flatMap(TableCreation::stream);
        boolean deletionProtected = parameters.truth("DeletionProtectionEnabled").orElse(false);
        parameters.choice("TableClass", List.of("STANDARD"));
        parameters.requireNoOthers();
        List<KeyAttribute> attributes =
                types.entrySet().stream()
                        .map(entry -> new KeyAttribute(entry.getKey(), entry.getValue()))
                        .toList();
        return new TableCreation(
                name, key, attributes, indexes, billing, deletionProtected, stream);
    }

    private static Map<String, AttributeType> attributeTypes(Parameters parameters) {
        Map<String, AttributeType> types = new LinkedHashMap<>();
        for (Parameters definition :
                parameters.requiredStructures("AttributeDefinitions", 1, 2 + 2 * MAX_INDEXES)) {
            String name = attributeName(definition);
            String type = definition.requiredText("AttributeType");
            definition.choice("AttributeType", List.of("B", "N", "S"));
            definition.requireNoOthers();
            if (types.putIfAbsent(name, AttributeType.valueOf(type)) != null) {
                throw invalid("Duplicate AttributeName in AttributeDefinitions: " + name);
            }
        }
        return types;
    }

    private static String attributeName(Parameters parameters) {
        String name = parameters.requiredText("AttributeName");
        if (name.isEmpty() || name.length() > 255) {
            throw parameters.violated(
                    "AttributeName",
                    "'" + name + "'",
                    name.isEmpty()
                            ? "Member must have length greater than or equal to 1"
                            : "Member must have length less than or equal to 255");
        }
        return name;
    }

    private static KeySchema key(
            Parameters parameters, Map<String, AttributeType> types, Set<String> used) {
        List<KeyAttribute> attributes = new ArrayList<>();
        for (Parameters element : parameters.requiredStructures("KeySchema", 1, 2)) {
            String name = attributeName(element);
            String role = element.requiredText("KeyType");
            element.choice("KeyType", List.of("HASH", "RANGE"));
            element.requireNoOthers();
            if (!role.equals(attributes.isEmpty() ? "HASH" : "RANGE")) {
                throw new ValidationException(
                        "Invalid KeySchema: The %s KeySchemaElement is not a %s key type"
                                .formatted(
                                        attributes.isEmpty() ? "first" : "second",
                                        attributes.isEmpty() ? "HASH" : "RANGE"));
            }
            AttributeType type = types.get(name);
            if (type == null) {
                throw invalid(
                        "Some index key attributes are not defined in AttributeDefinitions. Keys: [%s], AttributeDefinitions: [%s]"
                                .formatted(name, String.join(", ", types.keySet())));
            }
            used.add(name);
            attributes.add(new KeyAttribute(name, type));
        }
        if (attributes.size() == 2
                && attributes.getFirst().name().equals(attributes.getLast().name())) {
            throw new ValidationException(
                    "Both the Hash Key and the Range Key element in the KeySchema have the same name");
        }
        return new KeySchema(attributes.getFirst(), attributes.stream().skip(1).findFirst());
    }

    private static NewIndex index(
            Parameters index, Map<String, AttributeType> types, Set<String> used, Billing billing) {
        String name = index.requiredText("IndexName");
        if (!INDEX_NAME.matcher(name).matches()) {
            throw index.violated(
                    "IndexName",
                    "'" + name + "'",
                    "Member must satisfy regular expression pattern: " + INDEX_NAME.pattern());
        }
        KeySchema key = key(index, types, used);
        Projection projection = projection(index.requiredStructure("Projection"));
        index.structure("ProvisionedThroughput")
                .ifPresent(throughput -> requireProvisioned(billing, throughput));
        index.requireNoOthers();
        return new NewIndex(name, key, projection);
    }

    private static void requireProvisioned(Billing billing, Parameters throughput) {
        Billing units = units(throughput);
        if (billing instanceof Billing.PayPerRequest && units instanceof Billing.Provisioned) {
            throw neitherReadNorWriteCapacity();
        }
    }

    private static void requireIndexes(List<NewIndex> indexes) {
        if (indexes.size() > MAX_INDEXES) {
            throw invalid(
                    "GlobalSecondaryIndex count exceeds the per-table limit of " + MAX_INDEXES);
        }
        Set<String> names = new HashSet<>();
        for (NewIndex index : indexes) {
            if (!names.add(index.name)) {
                throw invalid("Duplicate index name: " + index.name);
            }
        }
    }

    private static Projection projection(Parameters projection) {
        String kind =
                projection
                        .choice("ProjectionType", List.of("ALL", "INCLUDE", "KEYS_ONLY"))
                        .orElseThrow(() -> invalid("Unknown ProjectionType: null"));
        Optional<List<String>> names = projection.textList("NonKeyAttributes");
        projection.requireNoOthers();
        if (names.isPresent() && !kind.equals("INCLUDE")) {
            throw invalid(
                    "ProjectionType is %s, but NonKeyAttributes is specified".formatted(kind));
        }
        return switch (kind) {
            case "ALL" -> new Projection.All();
            case "KEYS_ONLY" -> new Projection.KeysOnly();
            default ->
                    new Projection.Include(
                            names.filter(
                                            list ->
                                                    !list.isEmpty()
                                                            && list.size()
                                                                    <= MAX_NON_KEY_ATTRIBUTES)
                                    .orElseThrow(
                                            () ->
                                                    invalid(
                                                            "ProjectionType is INCLUDE, but NonKeyAttributes is not specified")));
        };
    }

    private static Billing billing(Parameters parameters) {
        Optional<String> mode =
                parameters.choice("BillingMode", List.of("PROVISIONED", "PAY_PER_REQUEST"));
        Optional<Billing> units =
                parameters.structure("ProvisionedThroughput").map(TableCreation::units);
        if (mode.filter("PAY_PER_REQUEST"::equals).isPresent()) {
            if (units.isPresent()) {
                throw neitherReadNorWriteCapacity();
            }
            return new Billing.PayPerRequest();
        }
        return units.orElseThrow(
                () ->
                        invalid(
                                "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"));
    }

    private static ValidationException neitherReadNorWriteCapacity() {
        return invalid(
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST");
    }

    private static Billing units(Parameters throughput) {
        long reads = units(throughput, "ReadCapacityUnits");
        long writes = units(throughput, "WriteCapacityUnits");
        throughput.requireNoOthers();
        return new Billing.Provisioned(reads, writes);
    }

    private static long units(Parameters throughput, String name) {
        return throughput
                .number(name, 1, Integer.MAX_VALUE)
                .orElseThrow(() -> throughput.missing(name));
    }

    private static Optional<StreamViewType> stream(Parameters stream) {
        boolean enabled =
                stream.truth("StreamEnabled").orElseThrow(() -> stream.missing("StreamEnabled"));
        Optional<StreamViewType> view =
                stream.choice(
                                "StreamViewType",
                                List.of(
                                        "KEYS_ONLY",
                                        "NEW_AND_OLD_IMAGES",
                                        "NEW_IMAGE",
                                        "OLD_IMAGE"))
                        .map(StreamViewType::valueOf);
        stream.requireNoOthers();
        if (enabled != view.isPresent()) {
            throw invalid(
                    enabled
                            ? "StreamViewType must be specified when StreamEnabled is true"
                            : "StreamViewType cannot be specified when StreamEnabled is false");
        }
        return view;
    }

    private static ValidationException invalid(String what) {
        return new ValidationException("One or more parameter values were invalid: " + what);
    }
}
