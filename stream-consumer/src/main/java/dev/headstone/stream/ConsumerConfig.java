package dev.headstone.stream;

import dev.headstone.lambda.CacheSettings;
import dev.headstone.lambda.Environment;
import dev.headstone.lambda.Names;
import dev.headstone.table.TableNames;
import java.time.Duration;

/**
 * The settings of the consumer's functions.
 *
 * @param sweepBudget how long one invocation sweeps at the most, well below the function's timeout
 */
record ConsumerConfig(
        TableNames tables, String auditQueue, CacheSettings cache, Duration sweepBudget) {
    private static final int USUAL_BUDGET_SECONDS = 45;

    /** Lambda ends a function after fifteen minutes. */
    private static final int MOST_SECONDS = 840;

    /**
     * @throws IllegalArgumentException naming the variable that is missing or malformed
     */
    static ConsumerConfig from(Environment environment) {
        return new ConsumerConfig(
                Names.tables(environment),
                Names.auditQueue(environment),
                CacheSettings.from(environment),
                Duration.ofSeconds(
                        environment.number(
                                "HEADSTONE_SWEEP_SECONDS", USUAL_BUDGET_SECONDS, 1, MOST_SECONDS)));
    }

    /** Where comparisons wait: a standard queue. */
    String comparisonsQueue() {
        return tables.links() + "-comparisons";
    }

    String parkedTable() {
        return tables.links() + "-parked";
    }
}
