package dev.headstone.redirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headstone.lambda.Environment;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RedirectConfigTest {
    @Test
    void readsAllSettings() {
        RedirectConfig config =
                RedirectConfig.from(
                        new Environment(
                                Map.of(
                                        "HEADSTONE_REDIS", "redis://h",
                                        "HEADSTONE_LINKS_TABLE", "L-2",
                                        "HEADSTONE_GONE_STATUS", "451")));

        assertThat(config.tables().links()).isEqualTo("L-2");
        assertThat(config.goneStatus()).isEqualTo(451);
    }

    @Test
    void namesTheVariableAtFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                RedirectConfig.from(
                                        new Environment(
                                                Map.of(
                                                        "HEADSTONE_REDIS", "redis://h",
                                                        "HEADSTONE_GONE_STATUS", "200"))))
                .withMessage("HEADSTONE_GONE_STATUS must be 404, 410 or 451");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedirectConfig.from(new Environment(Map.of())))
                .withMessageContaining("HEADSTONE_REDIS");
    }
}
