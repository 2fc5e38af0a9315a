package dev.headstone.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the benchmark asks of the machine: programs, their output, and the memory of a process tree.
 */
final class Machine {
    private Machine() {}

    /** Where a program is, if it is on the PATH or where Debian puts servers. */
    static Optional<Path> program(String name, String path) {
        return Stream.concat(Arrays.stream(path.split(":")), Stream.of("/usr/sbin", "/usr/bin"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs a command to its end and gives what it printed. */
    static String output(Duration deadline, List<String> command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("headstone-bench", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(out.toFile())
                            .start();
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(
                        "no end in " + deadline + ": " + command.getFirst());
            }
            String text = Files.readString(out, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IllegalStateException(command.getFirst() + " failed: " + text);
            }
            return text;
        } finally {
            Files.deleteIfExists(out);
        }
    }

    /** Asks a process to end, and ends it if it does not in time. */
    static void stop(Process process, Duration grace) {
        process.destroy();
        try {
            if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Resident memory of a process and all below it, in MB, by {@code /proc}. */
    static double residentMegabytes(ProcessHandle root) {
        return Stream.concat(Stream.of(root), root.descendants())
                .mapToDouble(Machine::ownMegabytes)
                .sum();
    }

    private static double ownMegabytes(ProcessHandle process) {
        try (Stream<String> lines =
                Files.lines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                    .sum();
        } catch (IOException e) {
            return 0; // it has ended meanwhile
        }
    }
}
