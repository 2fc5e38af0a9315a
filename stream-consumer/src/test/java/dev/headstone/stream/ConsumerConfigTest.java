package dev.headstone.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headstone.lambda.Environment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConsumerConfigTest {
    @Test
    void readsAllSettings() {
        ConsumerConfig config =
                ConsumerConfig.from(
                        new Environment(
                                Map.of(
                                        "HEADSTONE_REDIS", "redis://h",
                                        "HEADSTONE_LINKS_TABLE", "L-2",
                                        "HEADSTONE_AUDIT_QUEUE", "q.fifo",
                                        "HEADSTONE_SWEEP_SECONDS", "100")));

        assertThat(config.tables().links()).isEqualTo("L-2");
        assertThat(config.parkedTable()).isEqualTo("L-2-parked");
        assertThat(config.auditQueue()).isEqualTo("q.fifo");
        assertThat(config.sweepBudget()).isEqualTo(Duration.ofSeconds(100));
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "HEADSTONE_SWEEP_SECONDS, 0",
        "HEADSTONE_SWEEP_SECONDS, 900",
        "HEADSTONE_AUDIT_QUEUE, standard",
        "HEADSTONE_REDIS, ''",
    })
    void namesTheVariableAtFault(String name, String value) {
        Map<String, String> variables = new HashMap<>(Map.of("HEADSTONE_REDIS", "redis://h"));
        variables.put(name, value);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConsumerConfig.from(new Environment(variables)))
                .withMessageContaining(name);
    }
}
