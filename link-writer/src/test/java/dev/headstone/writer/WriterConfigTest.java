package dev.headstone.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headstone.lambda.Environment;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WriterConfigTest {
    private static final Map<String, String> LEAST =
            Map.of("HEADSTONE_REDIS", "redis://h", "HEADSTONE_BASE_URL", "https://sho.rt");

    @Test
    void readsAllSettings() {
        Map<String, String> variables = new HashMap<>(LEAST);
        variables.put("HEADSTONE_LINKS_TABLE", "L-2");
        variables.put("HEADSTONE_AUDIT_QUEUE", "q.fifo");
        variables.put("HEADSTONE_API_ROLE", "operator");

        WriterConfig config = WriterConfig.from(new Environment(variables));

        assertThat(config.tables().links()).isEqualTo("L-2");
        assertThat(config.auditQueue()).isEqualTo("q.fifo");
        assertThat(config.baseUrl()).isEqualTo(URI.create("https://sho.rt"));
        assertThat(config.apiRole()).isEqualTo(Role.OPERATOR);
    }

    @Test
    void callersOfTheApiAreOwnersUnlessToldOtherwise() {
        assertThat(WriterConfig.from(new Environment(LEAST)).apiRole()).isEqualTo(Role.OWNER);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "HEADSTONE_BASE_URL, ''",
        "HEADSTONE_BASE_URL, sho.rt",
        "HEADSTONE_BASE_URL, ftp://sho.rt",
        "HEADSTONE_BASE_URL, https://sho.rt?x",
        "HEADSTONE_API_ROLE, root",
        "HEADSTONE_AUDIT_QUEUE, standard",
        "HEADSTONE_LINKS_TABLE, a/b",
        "HEADSTONE_REDIS, ''",
    })
    void namesTheVariableAtFault(String name, String value) {
        Map<String, String> variables = new HashMap<>(LEAST);
        variables.put(name, value);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> WriterConfig.from(new Environment(variables)))
                .withMessageContaining(name);
    }
}
