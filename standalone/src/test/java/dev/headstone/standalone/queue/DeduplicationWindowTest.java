package dev.headstone.standalone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

final class DeduplicationWindowTest {
    private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");

    private final DeduplicationWindow window = new DeduplicationWindow(InstantSource.fixed(NOW));

    @Test
    void isTheClockWhileFewMessagesCome() {
        come(DeduplicationWindow.MOST);

        assertThat(window.now().toInstant()).isEqualTo(NOW);
        assertThat(window.nowMillis()).isEqualTo(NOW.toEpochMilli());
    }

    @Test
    void isAheadBySoMuchThatNoMoreThanTheNewestAreRemembered() {
        come(DeduplicationWindow.MOST + 1_000);

        // ElasticMQ forgets what is more than five minutes older than this.
        assertThat(window.now().minusMinutes(5).toInstant()).isEqualTo(created(999).toInstant());
        assertThat(window.nowMillis()).isEqualTo(NOW.toEpochMilli());
    }

    private void come(int messages) {
        for (int number = 0; number < messages; number++) {
            window.note(created(number));
        }
    }

    private static OffsetDateTime created(int number) {
        return NOW.minusSeconds(60).plusMillis(number).atOffset(ZoneOffset.UTC);
    }
}
