package dev.headstone.standalone.options;

import java.util.Map;
import java.util.Optional;

/**
 * What was said about each {@link Setting}: an option counts before a variable, a variable before
 * the default. A variable that is empty counts as not set, since shells and containers set empty
 * ones.
 */
final class Settings {
    private final Map<Setting, String> options;
    private final Map<String, String> environment;

    Settings(Map<Setting, String> options, Map<String, String> environment) {
        this.options = Map.copyOf(options);
        this.environment = Map.copyOf(environment);
    }

    /** What was said, or the default. */
    Given get(Setting setting) {
        return given(setting).orElseGet(() -> new Given(setting.option(), setting.fallback()));
    }

    /** What was said, if anything was. */
    Optional<Given> given(Setting setting) {
        String typed = options.get(setting);
        return typed == null
                ? variable(setting.variable())
                : Optional.of(new Given(setting.option(), typed));
    }

    /** What a variable without an option of its own says. */
    Optional<Given> variable(String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(text -> !text.isEmpty())
                .map(text -> new Given(name, text));
    }
}
