package dev.headstone.redirect;

import dev.headstone.lambda.CacheSettings;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Names;
import dev.headstone.table.TableNames;
import java.net.URI;
import java.util.Optional;

/**
 * The settings of the redirect on Lambda.
 *
 * @param baseUrl what a code is appended to for its short URL; unknown where the distribution's own
 *     name is the only one, since the function is deployed before it
 */
record RedirectConfig(
        TableNames tables, CacheSettings cache, int goneStatus, Optional<URI> baseUrl) {
    /**
     * @throws IllegalArgumentException naming the variable that is missing or malformed
     */
    static RedirectConfig from(Environment environment) {
        return new RedirectConfig(
                Names.tables(environment),
                CacheSettings.from(environment),
                Integer.parseInt(
                        environment.text(
                                "HEADSTONE_GONE_STATUS", "404", "404|410|451", "404, 410 or 451")),
                environment.read(
                        "HEADSTONE_BASE_URL", Names::baseUrl, "an http or https URL with a host"));
    }
}
