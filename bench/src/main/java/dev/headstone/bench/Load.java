package dev.headstone.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Load by {@code wrk}: 64 connections from 2 threads, bounded in time. */
record Load(Path wrk) {
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
    private static final Pattern REQUESTS = Pattern.compile("([0-9]+) requests in");
    private static final Pattern ERRORS = Pattern.compile("Socket errors:.*");

    /** Requests per second in one round against {@code target}. */
    double rate(URI target, Duration round) throws IOException, InterruptedException {
        return Double.parseDouble(found(RATE, run(target, round)));
    }

    /** How many requests one round made. */
    long requests(URI target, Duration round) throws IOException, InterruptedException {
        return Long.parseLong(found(REQUESTS, run(target, round)));
    }

    private String run(URI target, Duration round) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                wrk.toString(),
                                "-t2",
                                "-c64",
                                "-d" + round.toSeconds() + "s",
                                "--latency",
                                target.toString()));
        String report = Machine.output(round.plusSeconds(30), command);
        Matcher errors = ERRORS.matcher(report);
        if (errors.find()) {
            throw new IllegalStateException(errors.group());
        }
        return report;
    }

    private static String found(Pattern pattern, String report) {
        Matcher matcher = pattern.matcher(report);
        if (!matcher.find()) {
            throw new IllegalStateException("wrk said nothing of the kind: " + report);
        }
        return matcher.group(1);
    }
}
