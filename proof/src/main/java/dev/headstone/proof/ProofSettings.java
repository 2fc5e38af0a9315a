package dev.headstone.proof;

import dev.headstone.proof.model.Model;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How much is to be checked, and with what.
 *
 * @param seed of the campaign
 * @param budget for all of it
 * @param mutants whether each rule is switched off, too
 * @param redis the command that starts a redis-server
 * @param folder for what the Redis processes leave; it is the caller's to remove
 */
public record ProofSettings(
        long seed, Duration budget, boolean mutants, List<String> redis, Path folder) {
    /** From this budget on, the model's worlds are the full ones. */
    static final Duration FULL_FROM = Duration.ofMinutes(20);

    /** The model may take this part of the budget: one of so many. */
    static final int MODEL_PART = 4;

    /** What two gigabytes hold; no world has more than 9 million. */
    static final int MOST_STATES = 14_000_000;

    /** With a copy of the command. */
    public ProofSettings {
        redis = List.copyOf(redis);
    }

    /** How large the model's worlds are: the full ones take minutes. */
    public Model.Size size() {
        return budget.compareTo(FULL_FROM) < 0 ? Model.Size.SMALL : Model.Size.FULL;
    }
}
