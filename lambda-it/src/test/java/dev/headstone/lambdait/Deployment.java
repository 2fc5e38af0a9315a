package dev.headstone.lambdait;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** All functions, each in a process of its own, over one set of services; frozen until needed. */
final class Deployment implements AutoCloseable {
    private final Path folder;
    private final Services services = new Services();
    private final Map<Function, FunctionProcess> functions = new EnumMap<>(Function.class);
    private int started;

    Deployment(Path folder) {
        this.folder = folder;
    }

    Services services() {
        return services;
    }

    /** The function's process, started when it is first wanted. */
    FunctionProcess function(Function function) {
        return functions.computeIfAbsent(function, wanted -> start(wanted, Map.of()).ready());
    }

    /** The function's process, which may not be ready yet. */
    FunctionProcess starting(Function function) {
        return functions.computeIfAbsent(function, wanted -> start(wanted, Map.of()));
    }

    /** Another process of that function, which the caller closes. */
    FunctionProcess start(Function function, Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(services.environment());
        variables.putAll(more);
        variables.values().removeIf(String::isEmpty);
        return FunctionProcess.start(
                newFolder(), FunctionProcess.jar(function.module()), function.handler(), variables);
    }

    Path newFolder() {
        try {
            return Files.createDirectory(folder.resolve("f" + started++));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        functions.values().forEach(FunctionProcess::close);
        services.close();
    }
}
