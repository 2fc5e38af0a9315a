package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Dynamo.Extension.class)
final class DynamoLogVerificationTest extends LogVerificationContract {
    private final Dynamo dynamo;
    private final String table;
    private final AuditLog log;

    DynamoLogVerificationTest(Dynamo dynamo) {
        this.dynamo = dynamo;
        table = dynamo.newTable();
        log = new DynamoAuditLog(dynamo.client(), table, InstantSource.fixed(Bodies.AT));
    }

    @Override
    protected AuditLog log() {
        return log;
    }

    @Override
    protected Tampering tampering() {
        return new TamperedTable(dynamo.client(), table);
    }

    @Test
    void noticesAnItemThatHasLostEverythingButItsKey() {
        log.append(Bodies.takedown("e-1", "abc"));
        dynamo.client()
                .putItem(
                        request ->
                                request.tableName(table)
                                        .item(
                                                Map.of(
                                                        "short_code", AuditItems.text("abc"),
                                                        "seq", AuditItems.number(1))));

        assertThat(new LogVerifier(log).verify(Optional.empty()).faults())
                .contains(new Fault("abc", Fault.Kind.EDITED, 1));
    }

    @Test
    void noticesAnItemThatHasNoBusinessInTheLog() {
        dynamo.client()
                .putItem(
                        request ->
                                request.tableName(table)
                                        .item(
                                                Map.of(
                                                        "short_code", AuditItems.text("#other"),
                                                        "seq", AuditItems.number(1))));

        assertThat(new LogVerifier(log).verify(Optional.empty()).faults())
                .isEqualTo(
                        List.of(
                                new Fault("#other", Fault.Kind.EDITED, 1),
                                new Fault("#other", Fault.Kind.FORK, 1)));
    }
}
