package dev.headstone.standalone.prove;

import dev.headstone.standalone.options.Misuse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people type them: {@code 90s}, {@code 5m}, {@code 2h}. */
final class Budget {
    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,5})([smh])");
    private static final Duration LONGEST = Duration.ofDays(7);

    private Budget() {}

    /**
     * The duration that {@code text} names.
     *
     * @throws Misuse if it names none, or one over a week
     */
    static Duration parse(String text) {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            long number = Long.parseLong(form.group(1));
            Duration budget =
                    switch (form.group(2)) {
                        case "h" -> Duration.ofHours(number);
                        case "m" -> Duration.ofMinutes(number);
                        default -> Duration.ofSeconds(number);
                    };
            if (budget.compareTo(LONGEST) <= 0) {
                return budget;
            }
        }
        throw new Misuse("--budget must be a duration such as 90s, 5m or 2h, a week at the most");
    }
}
