package dev.headstone.proof.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.proof.explore.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With {@code -Dpictures.write=true} the pictures of the docs are drawn anew. */
final class StoryPictureTest {
    private static final Path DOCS = Path.of("..", "docs", "pictures");

    static Stream<Arguments> pictures() {
        return Stream.of(
                Arguments.of("reader-without-lease", "a reader writes only with a lease"),
                Arguments.of("writer-without-lease", "a writer writes only with a lease"),
                Arguments.of("lagging-read", "every read of the table is consistent"),
                Arguments.of("older-read-joined", "a click joins only a read"),
                Arguments.of("failover", "what is reported is durable"),
                Arguments.of("old-snapshot", "a cache that came back is not believed"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pictures")
    void thePicturesInTheDocsAreTheStoriesThatTheModelTells(String name, String rule)
            throws IOException {
        Mutant mutant =
                Mutants.all().stream()
                        .filter(each -> each.rule().startsWith(rule))
                        .findFirst()
                        .orElseThrow();
        Story story = mutant.check(1_000_000, Progress.UNWATCHED).story().orElseThrow();
        String drawn = StoryPicture.svg("Without the rule: " + mutant.rule(), story);
        Path file = DOCS.resolve(name + ".svg");
        if (Boolean.getBoolean("pictures.write")) {
            Files.createDirectories(DOCS);
            Files.writeString(file, drawn);
        }

        assertThat(file).hasContent(drawn);
    }

    @Test
    void isWellFormedWhateverItTells() throws Exception {
        Story story =
                new Story(
                        Set.of(Invariant.DEAD_SERVED),
                        List.of("click 1 reads <a> & b", "the cache evicts \"it\""));

        String svg = StoryPicture.svg("a < b", story);

        assertThat(
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(
                                        new java.io.ByteArrayInputStream(
                                                svg.getBytes(
                                                        java.nio.charset.StandardCharsets.UTF_8)))
                                .getDocumentElement()
                                .getTagName())
                .isEqualTo("svg");
        assertThat(svg).contains("dead served").contains("what happens");
    }
}
