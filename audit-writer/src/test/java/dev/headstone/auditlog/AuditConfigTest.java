package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headstone.lambda.Environment;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AuditConfigTest {
    @Test
    void readsTheNameOfTheTable() {
        assertThat(config(Map.of("HEADSTONE_AUDIT_TABLE", "Log-2")))
                .isEqualTo(new AuditConfig("Log-2"));
        assertThat(config(Map.of())).isEqualTo(new AuditConfig("AuditLog"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab", "a b c", "Tab/le"})
    void refusesWhatIsNoNameOfATable(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(Map.of("HEADSTONE_AUDIT_TABLE", name)))
                .withMessageContaining("HEADSTONE_AUDIT_TABLE")
                .withMessageNotContaining(name);
    }

    private static AuditConfig config(Map<String, String> variables) {
        return AuditConfig.from(new Environment(variables));
    }
}
