package dev.headstone.writer;

import dev.headstone.lambda.CacheSettings;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Names;
import dev.headstone.table.TableNames;
import java.net.URI;

/**
 * The settings of the writer's functions.
 *
 * @param apiRole what callers of the link API may do; those of the takedown function are operators
 */
record WriterConfig(
        TableNames tables, String auditQueue, CacheSettings cache, URI baseUrl, Role apiRole) {
    /**
     * @throws IllegalArgumentException naming the variable that is missing or malformed
     */
    static WriterConfig from(Environment environment) {
        return new WriterConfig(
                Names.tables(environment),
                Names.auditQueue(environment),
                CacheSettings.from(environment),
                environment.require(
                        "HEADSTONE_BASE_URL", Names::baseUrl, "an http or https URL with a host"),
                environment
                        .read("HEADSTONE_API_ROLE", WriterConfig::role, "reader, owner or operator")
                        .orElse(Role.OWNER));
    }

    private static Role role(String name) {
        return Role.of(name).orElseThrow(() -> new IllegalArgumentException("no such role"));
    }
}
