package dev.headstone.infra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars that a build of the project leaves in its modules.
 *
 * @param root the project's folder
 */
record BuiltJars(Path root) implements Artifacts {
    @Override
    public Path jar(FunctionKind function) {
        Path folder = root.resolve(function.module()).resolve("target");
        List<Path> jars = lambdaJars(folder);
        if (jars.size() != 1) {
            throw new IllegalStateException(
                    "%s holds %d jars of the name *-lambda.jar, and one is needed: build %s with 'mvn package'"
                            .formatted(folder, jars.size(), function.module()));
        }
        return jars.getFirst();
    }

    private static List<Path> lambdaJars(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith("-lambda.jar")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
