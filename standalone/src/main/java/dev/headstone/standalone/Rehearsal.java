package dev.headstone.standalone;

import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.ServeOptions;
import dev.headstone.standalone.options.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Starts and stops everything in memory, so that the JVM that runs it learns which classes a start
 * needs. The launcher makes its AOT cache of that; nobody else has a use for it.
 */
@Command(name = "rehearse", hidden = true)
final class Rehearsal implements Callable<Integer> {
    private final Console console;
    private final Serve serve;

    Rehearsal(Console console, Serve serve) {
        this.console = console;
        this.serve = serve;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Console silent = new Console(Map.of(), new PrintWriter(Writer.nullWriter()), console.err());
        Path data = Files.createTempDirectory("headstone-rehearsal");
        try {
            serve.rehearse(options(data.resolve("data")), silent);
        } finally {
            Files.delete(data);
        }
        return 0;
    }

    private static ServeOptions options(Path data) {
        return ServeOptions.from(
                Map.of(
                        Setting.PORT, "0",
                        Setting.CONTROL_PORT, "0",
                        Setting.IN_MEMORY, "true",
                        Setting.DATA, data.toString()),
                Map.of());
    }
}
