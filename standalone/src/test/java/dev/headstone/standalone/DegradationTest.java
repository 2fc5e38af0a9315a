package dev.headstone.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/degradation.md} to its word: every row is there, and has tests that exist. */
final class DegradationTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+Test)\\.([a-zA-Z0-9]+)`");
    private static final List<String> WAYS = List.of("slow", "failing", "refusing", "lying");
    private static final int COLUMNS = 7;

    @Test
    void everyDependencyHasARowForEachWayOfGoingWrong() {
        Map<String, List<String>> ways = new LinkedHashMap<>();
        rows().forEach(
                        (heading, rows) ->
                                ways.put(
                                        heading,
                                        rows.stream()
                                                .map(row -> row.getFirst().replaceFirst(":.*", ""))
                                                .toList()));

        assertThat(ways)
                .containsOnlyKeys(
                        "The cache (Redis)",
                        "The table (DynamoDB)",
                        "The stream",
                        "The audit queue (SQS)",
                        "The audit table",
                        "The clock");
        assertThat(ways.values()).containsOnly(WAYS);
    }

    @Test
    void everyRowSaysEverythingAndHasATest() {
        rows().values().stream()
                .flatMap(List::stream)
                .forEach(
                        row -> {
                            assertThat(row).hasSize(COLUMNS).noneMatch(String::isBlank);
                            assertThat(TEST.matcher(row.getLast()).find()).as("%s", row).isTrue();
                        });
    }

    @Test
    void everyTestThatItNamesExists() {
        Map<String, String> sources = testSources();
        Matcher named = TEST.matcher(read(ROOT.resolve("docs/degradation.md")));
        int count = 0;
        while (named.find()) {
            assertThat(sources.getOrDefault(named.group(1), ""))
                    .as(named.group())
                    .contains(" void " + named.group(2) + "(");
            count++;
        }
        assertThat(count).isGreaterThan(WAYS.size() * 6);
    }

    /** The cells of each table's rows, by the heading above it. */
    private static Map<String, List<List<String>>> rows() {
        Map<String, List<List<String>>> rows = new LinkedHashMap<>();
        String heading = "";
        for (String line : read(ROOT.resolve("docs/degradation.md")).lines().toList()) {
            if (line.startsWith("## ")) {
                heading = line.substring(3);
            } else if (line.startsWith("| ")
                    && !line.startsWith("| it is")
                    && !line.startsWith("| ---")) {
                String inner = line.substring(1, line.lastIndexOf('|'));
                rows.computeIfAbsent(heading, _ -> new ArrayList<>())
                        .add(Stream.of(inner.split("\\|", -1)).map(String::strip).toList());
            }
        }
        return rows;
    }

    private static Map<String, String> testSources() {
        Map<String, String> sources = new LinkedHashMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.map(path -> path.resolve("src/test/java")).toList()) {
                if (Files.isDirectory(module)) {
                    try (Stream<Path> files = Files.walk(module)) {
                        files.filter(file -> file.toString().endsWith("Test.java"))
                                .forEach(
                                        file ->
                                                sources.put(
                                                        file.getFileName()
                                                                .toString()
                                                                .replace(".java", ""),
                                                        read(file)));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
