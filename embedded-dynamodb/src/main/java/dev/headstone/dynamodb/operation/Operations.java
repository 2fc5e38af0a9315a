package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.dynamodb.error.ErrorType;
import dev.headstone.dynamodb.error.ServiceException;
import dev.headstone.dynamodb.expression.ExpressionParser;
import dev.headstone.dynamodb.schema.Catalog;
import dev.headstone.dynamodb.storage.Storage;
import dev.headstone.dynamodb.stream.Streams;
import dev.headstone.dynamodb.table.Items;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** The operations by their names on the wire. Thread-safe. */
public final class Operations {
    private static final String TABLES = "DynamoDB_20120810.";
    private static final String STREAMS = "DynamoDBStreams_20120810.";

    private final Map<String, Function<Parameters, Answer>> byTarget;

    /** The operations on what lies in {@code storage}. */
    public Operations(
            Storage storage,
            Catalog catalog,
            Streams streams,
            Items items,
            InstantSource clock,
            Supplier<UUID> ids) {
        ExpressionParser parser = new ExpressionParser();
        Writer writer = new Writer(catalog, items);
        TableOperations tables = new TableOperations(storage, catalog, streams, clock, ids);
        ItemOperations single = new ItemOperations(storage, catalog, items, writer, parser, clock);
        BatchOperations batch = new BatchOperations(storage, catalog, items, writer, parser, clock);
        TransactionOperations transactions =
                new TransactionOperations(storage, catalog, items, writer, parser, clock);
        QueryOperations queries = new QueryOperations(storage, catalog, parser);
        StreamOperations records = new StreamOperations(storage, catalog, streams, clock);
        byTarget =
                Map.ofEntries(
                        Map.entry(TABLES + "CreateTable", tables::createTable),
                        Map.entry(TABLES + "DescribeTable", tables::describeTable),
                        Map.entry(TABLES + "DeleteTable", tables::deleteTable),
                        Map.entry(TABLES + "ListTables", tables::listTables),
                        Map.entry(TABLES + "UpdateTimeToLive", tables::updateTimeToLive),
                        Map.entry(TABLES + "DescribeTimeToLive", tables::describeTimeToLive),
                        Map.entry(TABLES + "GetItem", single::getItem),
                        Map.entry(TABLES + "PutItem", single::putItem),
                        Map.entry(TABLES + "UpdateItem", single::updateItem),
                        Map.entry(TABLES + "DeleteItem", single::deleteItem),
                        Map.entry(TABLES + "BatchGetItem", batch::batchGetItem),
                        Map.entry(TABLES + "BatchWriteItem", batch::batchWriteItem),
                        Map.entry(TABLES + "TransactGetItems", transactions::transactGetItems),
                        Map.entry(TABLES + "TransactWriteItems", transactions::transactWriteItems),
                        Map.entry(TABLES + "Query", queries::query),
                        Map.entry(TABLES + "Scan", queries::scan),
                        Map.entry(STREAMS + "ListStreams", records::listStreams),
                        Map.entry(STREAMS + "DescribeStream", records::describeStream),
                        Map.entry(STREAMS + "GetShardIterator", records::getShardIterator),
                        Map.entry(STREAMS + "GetRecords", records::getRecords));
    }

    /** Whether there is an operation of that name. */
    public boolean has(String target) {
        return byTarget.containsKey(target);
    }

    /**
     * Carries out an operation.
     *
     * @param target the operation's name with the version of the interface in front, as in the
     *     header X-Amz-Target
     * @throws ServiceException or one of the values' exceptions, if the answer is an error
     */
    public Answer perform(String target, ObjectNode body) {
        Function<Parameters, Answer> operation = byTarget.get(target);
        if (operation == null) {
            throw new ServiceException(ErrorType.UNKNOWN_OPERATION, "");
        }
        return operation.apply(Parameters.of(body));
    }
}
