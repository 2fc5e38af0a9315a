package dev.headstone.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Load by {@code wrk}: 64 connections from 2 threads, bounded in time. */
record Load(Path wrk) {
    private static final int THREADS = 2;

    /** Asks for the paths of a file, one after the other, each thread for its own part of them. */
    private static final String WALK =
            """
            local threads = 0
            function setup(thread)
              thread:set("id", threads)
              threads = threads + 1
            end
            function init(args)
              codes = {}
              for line in io.lines(args[1]) do codes[#codes + 1] = line end
              n = id * math.floor(#codes / %d)
            end
            function request()
              n = n %% #codes + 1
              return wrk.format("GET", "/" .. codes[n])
            end
            """
                    .formatted(THREADS);

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

    /** What one walk over many codes came to. */
    record Walk(long requests, double perSecond) {}

    /** Clicks on {@code codes} in their order, from the start again when they are used up. */
    Walk walk(URI site, List<String> codes, Duration round)
            throws IOException, InterruptedException {
        Path script = Files.createTempFile("headstone-walk", ".lua");
        Path list = Files.createTempFile("headstone-codes", ".txt");
        try {
            Files.writeString(script, WALK);
            Files.write(list, codes);
            String report =
                    run(
                            List.of(
                                    "-s",
                                    script.toString(),
                                    site.toString(),
                                    "--",
                                    list.toString()),
                            round);
            return new Walk(
                    Long.parseLong(found(REQUESTS, report)),
                    Double.parseDouble(found(RATE, report)));
        } finally {
            Files.delete(script);
            Files.delete(list);
        }
    }

    private String run(URI target, Duration round) throws IOException, InterruptedException {
        return run(List.of(target.toString()), round);
    }

    private String run(List<String> target, Duration round)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                wrk.toString(),
                                "-t" + THREADS,
                                "-c64",
                                "-d" + round.toSeconds() + "s",
                                "--latency"));
        command.addAll(target);
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
