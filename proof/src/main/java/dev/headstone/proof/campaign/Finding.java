package dev.headstone.proof.campaign;

import java.util.List;

/**
 * A broken promise, and how it came about.
 *
 * @param trial the seed of the trial alone
 * @param what one sentence
 * @param story the trial's steps in order, those of its Redis among them
 */
public record Finding(Damage damage, long trial, String what, List<String> story) {
    /** With a copy of {@code story}. */
    public Finding {
        story = List.copyOf(story);
    }

    /** All of it, one step a line. */
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(damage.words()).append(" in trial ").append(trial).append(": ").append(what);
        int number = 1;
        for (String step : story) {
            text.append(System.lineSeparator()).append(number++).append(". ").append(step);
        }
        return text.toString();
    }
}
