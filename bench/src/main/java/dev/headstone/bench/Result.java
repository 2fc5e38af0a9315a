package dev.headstone.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * One figure.
 *
 * @param versus what it was measured beside, in the same run
 * @param ratio this one's median by that one's
 */
record Result(
        String name,
        String unit,
        double median,
        double min,
        double max,
        Optional<String> versus,
        Optional<Double> ratio) {

    static Result of(String name, String unit, double... rounds) {
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        return new Result(
                name,
                unit,
                sorted[sorted.length / 2],
                sorted[0],
                sorted[sorted.length - 1],
                Optional.empty(),
                Optional.empty());
    }

    Result beside(String what, Result other) {
        return new Result(
                name,
                unit,
                median,
                min,
                max,
                Optional.of(what),
                Optional.of(median / other.median));
    }

    /** A row of the table that people read. */
    String row() {
        return String.format(
                Locale.ROOT,
                "%-22s %12.2f %-6s  min %10.2f  max %10.2f%s",
                name,
                median,
                unit,
                min,
                max,
                versus.map(
                                what ->
                                        String.format(
                                                Locale.ROOT,
                                                "  %.2f x %s",
                                                ratio.orElseThrow(),
                                                what))
                        .orElse(""));
    }
}
