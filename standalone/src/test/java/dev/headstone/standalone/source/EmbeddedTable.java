package dev.headstone.standalone.source;

import dev.headstone.dynamodb.EmbeddedDynamoDb;
import dev.headstone.dynamodb.Settings;
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The embedded DynamoDB with the SDK's clients for it. */
final class EmbeddedTable implements AutoCloseable {
    private final EmbeddedDynamoDb server;
    private final SdkHttpClient http = UrlConnectionHttpClient.create();
    final DynamoDbClient dynamoDb;
    final DynamoDbStreamsClient streams;

    EmbeddedTable(Settings settings) {
        this.server = EmbeddedDynamoDb.start(settings);
        URI endpoint = server.endpoint();
        StaticCredentialsProvider credentials =
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
        this.dynamoDb =
                DynamoDbClient.builder()
                        .endpointOverride(endpoint)
                        .region(Region.US_EAST_1)
                        .credentialsProvider(credentials)
                        .httpClient(http)
                        .build();
        this.streams =
                DynamoDbStreamsClient.builder()
                        .endpointOverride(endpoint)
                        .region(Region.US_EAST_1)
                        .credentialsProvider(credentials)
                        .httpClient(http)
                        .build();
    }

    /** Creates a table of links with its stream; returns the stream's ARN. */
    String createLinks(String name) {
        return dynamoDb.createTable(
                        request ->
                                request.tableName(name)
                                        .billingMode(BillingMode.PAY_PER_REQUEST)
                                        .attributeDefinitions(
                                                AttributeDefinition.builder()
                                                        .attributeName("short_code")
                                                        .attributeType(ScalarAttributeType.S)
                                                        .build())
                                        .keySchema(
                                                KeySchemaElement.builder()
                                                        .attributeName("short_code")
                                                        .keyType(KeyType.HASH)
                                                        .build())
                                        .streamSpecification(
                                                stream ->
                                                        stream.streamEnabled(true)
                                                                .streamViewType(
                                                                        StreamViewType
                                                                                .NEW_AND_OLD_IMAGES)))
                .tableDescription()
                .latestStreamArn();
    }

    void write(String table, String code, int version) {
        dynamoDb.putItem(
                request ->
                        request.tableName(table)
                                .item(
                                        Map.of(
                                                "short_code",
                                                AttributeValue.fromS(code),
                                                "version",
                                                AttributeValue.fromN(Integer.toString(version)))));
    }

    @Override
    public void close() {
        dynamoDb.close();
        streams.close();
        http.close();
        server.close();
    }
}
