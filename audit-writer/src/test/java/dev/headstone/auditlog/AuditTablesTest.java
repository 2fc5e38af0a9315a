package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

@ExtendWith(Dynamo.Extension.class)
final class AuditTablesTest {
    private final Dynamo dynamo;
    private final String table = "AuditLog-" + UUID.randomUUID();

    AuditTablesTest(Dynamo dynamo) {
        this.dynamo = dynamo;
    }

    @Test
    void createsWhatTheLogNeeds() {
        AuditTables.createIfMissing(dynamo.client(), table);

        assertThat(
                        new DynamoAuditLog(dynamo.client(), table, InstantSource.fixed(Bodies.AT))
                                .append(Bodies.takedown("e-1", "abc")))
                .isInstanceOf(Appended.Written.class);
    }

    @Test
    void leavesAnExistingTableAlone() {
        AuditTables.createIfMissing(dynamo.client(), table);
        TableDescription before = describe();

        AuditTables.createIfMissing(dynamo.client(), table);

        assertThat(describe()).isEqualTo(before);
    }

    @Test
    void refusesATableThatIsNoLogAndDoesNotTouchIt() {
        dynamo.client()
                .createTable(
                        request ->
                                request.tableName(table)
                                        .billingMode(BillingMode.PAY_PER_REQUEST)
                                        .keySchema(
                                                KeySchemaElement.builder()
                                                        .attributeName("short_code")
                                                        .keyType(KeyType.HASH)
                                                        .build())
                                        .attributeDefinitions(
                                                AttributeDefinition.builder()
                                                        .attributeName("short_code")
                                                        .attributeType(ScalarAttributeType.S)
                                                        .build()));
        TableDescription before = describe();

        assertThatIllegalStateException()
                .isThrownBy(() -> AuditTables.createIfMissing(dynamo.client(), table))
                .withMessageContaining(table)
                .withMessageContaining("by_time");
        assertThat(describe()).isEqualTo(before);
    }

    @Test
    void isContentWhenSomebodyElseCreatesTheTableMeanwhile() {
        AuditTables.createIfMissing(
                Intercepted.before(
                        dynamo.client(),
                        "createTable",
                        () -> AuditTables.createIfMissing(dynamo.client(), table)),
                table);

        assertThat(describe().globalSecondaryIndexes()).hasSize(1);
    }

    private TableDescription describe() {
        return dynamo.client().describeTable(request -> request.tableName(table)).table();
    }
}
