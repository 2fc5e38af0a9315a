package dev.headstone.proof.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.audit.AuditDetail;
import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.AuditType;
import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LedgerTest {
    private static final String CREATED = "committed.abc.0.1.link.created";

    private final Ledger ledger = new Ledger();

    @Test
    void oneEventForEachCommittedChangeIsInOrderHoweverOftenItIsSent() {
        ledger.store(committed("alice"));
        ledger.store(committed("alice"));

        assertThat(ledger.fault(List.of(CREATED))).isEmpty();
    }

    @Test
    void aChangeWithoutItsEventIsALoss() {
        assertThat(ledger.fault(List.of(CREATED))).contains("no event " + CREATED);
    }

    @Test
    void anEventOfAChangeThatNeverWasIsAFault() {
        ledger.store(committed("alice"));

        assertThat(ledger.fault(List.of()))
                .contains("nothing was committed that is event " + CREATED);
    }

    @Test
    void twoEventsWithOneIdAreAFaultSinceTheLogKeepsOne() {
        ledger.store(committed("alice"));
        ledger.store(committed("bob"));

        assertThat(ledger.fault(List.of(CREATED))).contains("two events have the id " + CREATED);
    }

    @Test
    void aReceiptHasExactlyOneEventAndNamesIt() {
        List<AuditEvent> stored = List.of(success("outcome-1"), success("outcome-1"));

        assertThat(Ledger.faultOf(stored, AuditOutcome.SUCCESS, Optional.of("outcome-1")))
                .isEmpty();
        assertThat(Ledger.faultOf(stored, AuditOutcome.SUCCESS, Optional.of("outcome-2")))
                .contains("the receipt names an event that is not in the queue: outcome-2");
        assertThat(Ledger.faultOf(List.of(), AuditOutcome.SUCCESS, Optional.empty()))
                .contains("success was reported, and 0 such events are in the queue");
        assertThat(
                        Ledger.faultOf(
                                List.of(success("outcome-1"), success("outcome-2")),
                                AuditOutcome.SUCCESS,
                                Optional.empty()))
                .contains("success was reported, and 2 such events are in the queue");
    }

    private static AuditEvent committed(String actor) {
        return AuditEvent.committed(
                AuditType.LINK_CREATED,
                new ShortCode("abc"),
                0,
                1,
                actor,
                Optional.empty(),
                Instant.EPOCH,
                AuditDetail.none());
    }

    private static AuditEvent success(String id) {
        return AuditEvent.attempt(
                id,
                AuditType.LINK_TAKEN_DOWN,
                AuditOutcome.SUCCESS,
                new ShortCode("abc"),
                0,
                2,
                "alice",
                Optional.of("phishing"),
                Instant.EPOCH,
                AuditDetail.none());
    }
}
