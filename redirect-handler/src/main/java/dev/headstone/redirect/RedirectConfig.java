package dev.headstone.redirect;

import dev.headstone.lambda.CacheSettings;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Names;
import dev.headstone.table.TableNames;

/** The settings of the redirect on Lambda. */
record RedirectConfig(TableNames tables, CacheSettings cache, int goneStatus) {
    /**
     * @throws IllegalArgumentException naming the variable that is missing or malformed
     */
    static RedirectConfig from(Environment environment) {
        return new RedirectConfig(
                Names.tables(environment),
                CacheSettings.from(environment),
                Integer.parseInt(
                        environment.text(
                                "HEADSTONE_GONE_STATUS", "404", "404|410|451", "404, 410 or 451")));
    }
}
