package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class InMemoryAuditLogTest extends AuditLogContract {
    private final InMemoryAuditLog log = new InMemoryAuditLog(clock);

    @Override
    protected AuditLog log() {
        return log;
    }

    @Test
    void recognisesAnEventWhoseReplyWasLost() {
        ReceivedEvent event = Bodies.takedown("e-1", "abc");
        log.losesReplies();
        assertThat(log.append(event)).isInstanceOf(Appended.Failed.class);
        log.recovers();

        assertThat(log.append(event)).isInstanceOf(Appended.AlreadyWritten.class);
        assertThat(log.lastSeq("abc")).isEqualTo(1);
    }

    @Test
    void canBeOutOfReach() {
        log.unreachable();

        assertThat(log.append(Bodies.takedown("e-1", "abc"))).isInstanceOf(Appended.Failed.class);
        assertThatExceptionOfType(AuditLogUnavailable.class)
                .isThrownBy(() -> log.chain("abc", 0, Optional.empty(), 1));
    }
}
