package dev.headstone.standalone.cli;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** Figures in Prometheus's text format. Immutable; lines that are none are left out. */
final class MetricsText {
    private static final Pattern LINE =
            Pattern.compile("(?<name>[a-z_]+)(?:\\{(?<labels>[^}]*)})? (?<value>\\S+)");

    private final List<Sample> samples;

    private record Sample(String name, String labels, double value) {}

    MetricsText(String text) {
        samples =
                text.lines()
                        .map(LINE::matcher)
                        .filter(Matcher::matches)
                        .map(MetricsText::sample)
                        .filter(sample -> Double.isFinite(sample.value()))
                        .toList();
    }

    private static Sample sample(Matcher line) {
        String labels = line.group("labels");
        double value;
        try {
            value = Double.parseDouble(line.group("value"));
        } catch (NumberFormatException e) {
            value = Double.NaN; // +Inf, and what is no number
        }
        return new Sample(line.group("name"), labels == null ? "" : labels, value);
    }

    double sum(String name) {
        return sum(name, _ -> true);
    }

    double sum(String name, Predicate<String> labels) {
        return values(name, labels).sum();
    }

    OptionalDouble max(String name) {
        return values(name, _ -> true).max();
    }

    OptionalDouble min(String name) {
        return values(name, _ -> true).min();
    }

    private DoubleStream values(String name, Predicate<String> labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name) && labels.test(sample.labels()))
                .mapToDouble(Sample::value);
    }
}
