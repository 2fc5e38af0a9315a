package dev.headstone.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every {@link AuditQueue} does, the real one as the one that other tests believe. */
public abstract class AuditQueueContract {
    /** The queue, empty and well. */
    protected abstract AuditQueue queue();

    /** Bodies of the messages that the queue delivers, in the order of delivery. */
    protected abstract List<String> delivered();

    /** From now on nobody can reach the queue. */
    protected abstract void disconnect();

    @Test
    void deliversTheEventsOfALinkInTheOrderOfTheirAcceptance() {
        List<AuditEvent> events =
                List.of(
                        AuditEvents.takedown("e-1", "abc", 2),
                        AuditEvents.takedown("e-2", "abc", 3),
                        AuditEvents.takedown("e-3", "abc", 4));

        events.forEach(this::accept);

        assertThat(delivered())
                .containsExactlyElementsOf(events.stream().map(AuditEventJson::encode).toList());
    }

    @Test
    void deliversAnEventOnceHoweverOftenItIsSent() {
        AuditEvent event = AuditEvents.takedown("e-1", "abc", 2);

        accept(event);
        accept(event);

        assertThat(delivered()).containsExactly(AuditEventJson.encode(event));
    }

    @Test
    void tellsEventsApartByTheirIdsAcrossLinks() {
        accept(AuditEvents.takedown("e-1", "abc", 2));
        accept(AuditEvents.takedown("e-2", "ABC", 2));

        assertThat(delivered()).hasSize(2);
    }

    @Test
    void takesEventsThatAreAboutNoLink() {
        AuditEvent parked =
                AuditEvent.withoutLink(
                        "parked.100000000000000000001",
                        AuditType.RECORD_PARKED,
                        AuditOutcome.REPAIRED,
                        "stream-consumer",
                        Optional.empty(),
                        AuditEvents.AT,
                        AuditDetail.none().with("sequence_number", "100000000000000000001"));
        AuditEvent blocked =
                AuditEvent.withoutLink(
                        "b-1",
                        AuditType.HOST_BLOCKED,
                        AuditOutcome.SUCCESS,
                        "alice",
                        Optional.of("malware"),
                        AuditEvents.AT,
                        AuditDetail.none().with("host", "evil.example").with("count", 12));

        accept(parked);
        accept(blocked);

        assertThat(delivered())
                .containsExactlyInAnyOrder(
                        AuditEventJson.encode(parked), AuditEventJson.encode(blocked));
    }

    @Test
    void carriesAnyTextThatAReasonMayHold() {
        AuditEvent event =
                AuditEvent.attempt(
                        "e-1",
                        AuditType.LINK_TAKEN_DOWN,
                        AuditOutcome.SUCCESS,
                        new ShortCode("abc"),
                        1,
                        2,
                        "İpek",
                        Optional.of("\u0000\u000b\"\\ \ud83d\udc80 \uffff \ud800"),
                        AuditEvents.AT,
                        AuditDetail.none());

        accept(event);

        assertThat(delivered()).containsExactly(AuditEventJson.encode(event));
    }

    @Test
    void saysSoWhenItCannotBeReached() {
        disconnect();

        assertThat(queue().send(AuditEvents.takedown("e-1", "abc", 2)))
                .isInstanceOf(Acceptance.NotAccepted.class);
    }

    private void accept(AuditEvent event) {
        assertThat(queue().send(event)).isEqualTo(new Acceptance.Accepted());
    }
}
