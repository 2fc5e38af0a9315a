package dev.headstone.lambdait;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.api.client.AWSLambda;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One execution environment: a JVM with the real runtime client, the function's own jar beside it
 * as Lambda unpacks it, and nothing else. Frozen whenever it has nothing to do, as Lambda does it.
 */
final class FunctionProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofSeconds(60);
    static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String NATIVE =
            "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";
    static final String TRACE =
            "Root=1-65a1b2c3-0123456789abcdef01234567;Parent=53995c3f42cd8ad8;Sampled=1";

    private final RuntimeApi api;
    private final Process process;
    private final Path output;
    private final long startedNanos;

    private FunctionProcess(RuntimeApi api, Process process, Path output, long startedNanos) {
        this.api = api;
        this.process = process;
        this.output = output;
        this.startedNanos = startedNanos;
    }

    /**
     * Starts one.
     *
     * @param folder of its own, for the task root and the output
     * @param code what lies in the task root: a jar, or a folder of classes
     */
    static FunctionProcess start(
            Path folder, Path code, String handler, Map<String, String> environment) {
        try {
            RuntimeApi api = new RuntimeApi();
            Path root = Files.createDirectories(folder.resolve("task"));
            if (Files.isDirectory(code)) {
                root = code;
            } else {
                Path lib = Files.createDirectories(root.resolve("lib"));
                Files.createLink(lib.resolve(code.getFileName()), code);
            }
            Path output = folder.resolve("output");
            ProcessBuilder builder =
                    new ProcessBuilder(
                                    java(),
                                    "-XX:TieredStopAtLevel=1", // as the managed runtime
                                    "-XX:+UseSerialGC",
                                    "-Xmx256m",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac",
                                    "-D" + NATIVE + "=" + nativeClient(folder),
                                    "-cp",
                                    runtime(),
                                    AWSLambda.class.getName(),
                                    handler)
                            .directory(root.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile());
            Map<String, String> variables = builder.environment();
            variables.clear(); // nothing of this machine
            variables.put("AWS_LAMBDA_RUNTIME_API", api.address());
            variables.put("AWS_LAMBDA_FUNCTION_NAME", "it");
            variables.put("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST");
            variables.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512");
            variables.put("AWS_LAMBDA_LOG_GROUP_NAME", "it");
            variables.put("AWS_LAMBDA_LOG_STREAM_NAME", "it");
            variables.put("AWS_REGION", "us-east-1");
            variables.put("AWS_ACCESS_KEY_ID", "headstone");
            variables.put("AWS_SECRET_ACCESS_KEY", "headstone");
            variables.put("_HANDLER", handler);
            variables.putAll(environment);
            return new FunctionProcess(api, builder.start(), output, System.nanoTime());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The runtime's native part, for this process alone: left to itself it overwrites one file that
     * all processes of a machine have mapped, since on Lambda there is one.
     */
    private static Path nativeClient(Path folder) throws IOException {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
        Path library = folder.resolve("runtime.so");
        try (InputStream packed =
                AWSLambda.class.getResourceAsStream(
                        "/jni/libaws-lambda-jni.linux-" + arch + ".so")) {
            Files.copy(Objects.requireNonNull(packed), library);
        }
        return library;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The runtime's own jars, from the tests' class path. */
    private static String runtime() {
        return Arrays.stream(System.getProperty("java.class.path").split(":", -1))
                .filter(
                        entry ->
                                Stream.of(
                                                "aws-lambda-java-runtime-interface-client",
                                                "aws-lambda-java-core",
                                                "aws-lambda-java-serialization",
                                                "utils-lite")
                                        .anyMatch(jar -> entry.contains("/" + jar + "-")))
                .collect(Collectors.joining(":"));
    }

    /** The jar that Lambda gets of a module; built by {@code mvn package}. */
    static Path jar(String module) {
        Path target = Path.of("..", module, "target");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().endsWith("-lambda.jar"))
                    .findFirst()
                    .orElseThrow()
                    .toRealPath();
        } catch (IOException | java.util.NoSuchElementException e) {
            throw new IllegalStateException(
                    "no jar for Lambda in %s: mvn package makes it".formatted(target), e);
        }
    }

    /** Waits until it asks for its first event, and freezes it. */
    FunctionProcess ready() {
        try {
            if (!api.isPolled(START)) {
                throw new AssertionError("not ready: " + output());
            }
            freeze();
            return this;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until it is ready for a snapshot. */
    FunctionProcess atCheckpoint() {
        try {
            if (!api.isAtCheckpoint(START)) {
                throw new AssertionError("no checkpoint: " + output());
            }
            return this;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void restore() {
        api.restore();
    }

    /** How it said that it cannot start. */
    String initError() {
        return api.initError().orTimeout(START.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Since its start. */
    Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    /** Of processor time, in all its threads. */
    Duration worked() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The most memory it had so far, in MiB, as Linux counts it; 0 elsewhere. */
    long peakMemory() {
        try (Stream<String> lines =
                Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToLong(Long::parseLong)
                    .map(kibibytes -> kibibytes / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    long pid() {
        return process.pid();
    }

    RuntimeApi.Outcome invoke(String event) {
        return invoke(event, TIMEOUT);
    }

    synchronized RuntimeApi.Outcome invoke(String event, Duration timeout) {
        thaw();
        RuntimeApi.Outcome outcome = api.invoke(event, TRACE, timeout);
        freeze();
        return outcome;
    }

    /** Invokes, and wants an answer. */
    JsonNode answer(String event) {
        return switch (invoke(event)) {
            case RuntimeApi.Outcome.Answered(String payload) -> parsed(payload);
            case RuntimeApi.Outcome.Failed(String error) ->
                    throw new AssertionError(error + "\n" + output());
            case RuntimeApi.Outcome.TimedOut _ -> throw new AssertionError("late: " + output());
        };
    }

    static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new AssertionError(json, e);
        }
    }

    void freeze() {
        signal("-STOP");
    }

    void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What it wrote so far. */
    String output() {
        try {
            return Files.readString(output, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of its output that are JSON. */
    List<JsonNode> lines() {
        List<JsonNode> lines = new ArrayList<>();
        output().lines()
                .filter(line -> line.startsWith("{"))
                .map(FunctionProcess::parsed)
                .forEach(lines::add);
        return lines;
    }

    /** A line with that figure and that outcome. */
    Optional<JsonNode> figure(String name, String outcome) {
        return lines().stream()
                .filter(line -> line.has("_aws") && line.has(name))
                .filter(line -> line.path("outcome").asText().equals(outcome))
                .findFirst();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        api.close();
    }
}
