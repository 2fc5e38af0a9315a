package dev.headstone.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordingAuditQueueTest extends AuditQueueContract {
    private final RecordingAuditQueue queue = new RecordingAuditQueue();

    @Override
    protected AuditQueue queue() {
        return queue;
    }

    @Override
    protected List<String> delivered() {
        return queue.events().stream().map(AuditEventJson::encode).toList();
    }

    @Override
    protected void disconnect() {
        queue.unreachable();
    }

    @Test
    void canLoseTheEventsOfOneLinkOnly() {
        queue.unreachableFor(new ShortCode("abc"));

        assertThat(queue.send(AuditEvents.takedown("e-1", "abc", 2)))
                .isInstanceOf(Acceptance.NotAccepted.class);
        assertThat(queue.send(AuditEvents.takedown("e-2", "xyz", 2)))
                .isEqualTo(new Acceptance.Accepted());
        assertThat(queue.events()).extracting(AuditEvent::eventId).containsExactly("e-2");
    }

    @Test
    void canKeepAnEventWithoutSayingSo() {
        AuditEvent event = AuditEvents.takedown("e-1", "abc", 2);
        queue.acceptsWithoutAnsweringFor(new ShortCode("abc"));

        assertThat(queue.send(event)).isInstanceOf(Acceptance.NotAccepted.class);
        queue.recovers();
        assertThat(queue.send(event)).isEqualTo(new Acceptance.Accepted());

        assertThat(queue.eventsOf(new ShortCode("abc"))).containsExactly(event);
    }

    @Test
    void takesEventsAgainOnceItHasRecovered() {
        queue.unreachable();
        queue.send(AuditEvents.takedown("e-1", "abc", 2));
        queue.recovers();
        queue.send(AuditEvents.takedown("e-2", "abc", 2));
        queue.acceptsWithoutAnswering();
        queue.send(AuditEvents.takedown("e-3", "abc", 2));

        assertThat(queue.events()).extracting(AuditEvent::eventId).containsExactly("e-2", "e-3");
    }
}
