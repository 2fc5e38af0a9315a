package dev.headstone.standalone.options;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --data} of commands other than {@code serve}, to be mixed in. */
public final class DataOption {
    @Option(names = "--data", paramLabel = "DIR", description = "data folder of serve (./data)")
    private @Nullable String typed;

    /**
     * The folder: as typed, else as the environment says, else {@code ./data}.
     *
     * @throws Misuse when that is none
     */
    public Path folder(Console console) {
        Map<Setting, String> options = typed == null ? Map.of() : Map.of(Setting.DATA, typed);
        return ServeOptions.folder(new Settings(options, console.environment()).get(Setting.DATA));
    }
}
