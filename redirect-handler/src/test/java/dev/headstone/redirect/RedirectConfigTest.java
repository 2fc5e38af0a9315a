package dev.headstone.redirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headstone.lambda.Environment;
import java.net.URI;
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
                                        "HEADSTONE_GONE_STATUS", "451",
                                        "HEADSTONE_BASE_URL", "https://s.example/x")));

        assertThat(config.tables().links()).isEqualTo("L-2");
        assertThat(config.goneStatus()).isEqualTo(451);
        assertThat(config.baseUrl()).contains(URI.create("https://s.example/x"));
    }

    @Test
    void doesWithoutABaseUrl() {
        assertThat(
                        RedirectConfig.from(new Environment(Map.of("HEADSTONE_REDIS", "redis://h")))
                                .baseUrl())
                .isEmpty();
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
                .isThrownBy(
                        () ->
                                RedirectConfig.from(
                                        new Environment(
                                                Map.of(
                                                        "HEADSTONE_REDIS", "redis://h",
                                                        "HEADSTONE_BASE_URL", "s.example"))))
                .withMessage("HEADSTONE_BASE_URL must be an http or https URL with a host");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedirectConfig.from(new Environment(Map.of())))
                .withMessageContaining("HEADSTONE_REDIS");
    }
}
