package dev.headstone.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The launcher in a checkout of its own, with JDKs and a Maven that only write down how they were
 * called, and no others in reach.
 */
final class LauncherSandbox {
    private static final List<String> TOOLS =
            List.of(
                    "cat",
                    "cksum",
                    "cp",
                    "cut",
                    "date",
                    "dirname",
                    "find",
                    "head",
                    "ln",
                    "mkdir",
                    "mv",
                    "readlink",
                    "rm",
                    "rmdir",
                    "sed",
                    "sh",
                    "sleep",
                    "tail",
                    "touch");
    private static final String JAVA =
            """
            #!/bin/sh
            for argument; do
                case $argument in
                    -XX:AOTMode=*) if [ -e "$0.no-aot" ]; then exit 1; fi ;;
                    -XX:AOTCache=*.next) echo cache >"${argument#*=}" ;;
                esac
            done
            jdk=${0%/bin/java}
            printf 'java of %s\\nin %s\\n' "${jdk##*/}" "$PWD"
            for argument; do printf 'argument %s\\n' "$argument"; done
            """;
    private static final String MAVEN =
            """
            #!/bin/sh
            here=${0%/*}
            if [ "$1" = --version ]; then cat "$here/mvn.version"; exit; fi
            echo "$*" >>"$here/mvn.calls"
            mkdir "$here/mvn.running" || echo "two builds at once" >>"$here/mvn.calls"
            if [ -e "$here/mvn.slow" ]; then sleep 1; fi
            rmdir "$here/mvn.running"
            if [ -e "$here/mvn.fails" ]; then echo "COMPILATION ERROR"; exit 1; fi
            mkdir -p standalone/target/lib
            echo library >standalone/target/lib/library.jar
            echo headstone >standalone/target/headstone-standalone-9-SNAPSHOT.jar
            """;

    private final Path root;
    private final Path home;
    private final Path tools;
    private final Map<String, String> environment = new TreeMap<>();
    private final Map<Long, Path> outputs = new TreeMap<>();

    /** What a launch printed and how it ended. */
    record Launch(int status, String out, String err) {
        List<String> arguments() {
            return out.lines()
                    .filter(line -> line.startsWith("argument "))
                    .map(line -> line.substring("argument ".length()))
                    .toList();
        }
    }

    LauncherSandbox(Path root) throws IOException {
        this.root = root.toRealPath();
        this.home = this.root.resolve("check out");
        this.tools = this.root.resolve("bin");
        Files.createDirectories(home.resolve("standalone/src/main/java"));
        Files.createDirectories(tools);
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.writeString(home.resolve("standalone/pom.xml"), "<project/>");
        Files.writeString(source(), "class A {}");
        executable(
                home.resolve("headstone"),
                Files.readString(Path.of("..", "headstone"))
                        .replace("/usr/lib", this.root + "/usr/lib")
                        .replace("/Library", this.root + "/Library"));
        for (String tool : TOOLS) {
            executable(tools.resolve(tool), "#!/bin/sh\nexec " + found(tool) + " \"$@\"\n");
        }
        environment.put("PATH", tools.toString());
        environment.put("HOME", this.root.resolve("user").toString());
        age(home);
    }

    Path home() {
        return home;
    }

    Path source() {
        return home.resolve("standalone/src/main/java/A.java");
    }

    Path tool(String name) {
        return tools.resolve(name);
    }

    LauncherSandbox with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** A JDK below the sandbox's root, named by the last part of its path. */
    Path jdk(String path, String version) throws IOException {
        Path jdk = root.resolve(path);
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(
                jdk.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        executable(jdk.resolve("bin/java"), JAVA);
        executable(jdk.resolve("bin/javac"), "#!/bin/sh\n");
        return jdk;
    }

    LauncherSandbox maven(String version) throws IOException {
        executable(tool("mvn"), MAVEN);
        // As it prints it for a terminal.
        Files.writeString(
                tool("mvn.version"),
                "\u001b[1mApache Maven " + version + "\u001b[m\nMaven home: x\n");
        return this;
    }

    List<String> builds() throws IOException {
        return Files.exists(tool("mvn.calls")) ? Files.readAllLines(tool("mvn.calls")) : List.of();
    }

    List<String> runs() throws IOException {
        try (var runs = Files.list(home.resolve("standalone/target/run"))) {
            return runs.map(run -> run.getFileName().toString()).sorted().toList();
        }
    }

    /** As if somebody saved the file a moment from now. */
    static void edit(Path file) throws IOException {
        Files.setLastModifiedTime(
                file, FileTime.from(Files.getLastModifiedTime(file).toInstant().plusSeconds(3600)));
    }

    Launch launch(String... arguments) throws IOException, InterruptedException {
        return finished(start(home.resolve("headstone"), root, arguments));
    }

    Process start(Path launcher, Path from, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(Arrays.asList(arguments));
        Path out = Files.createTempFile(root, "launch", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(from.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(Path.of(out + ".err").toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        outputs.put(process.pid(), out);
        return process;
    }

    Launch finished(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(Duration.ofSeconds(60).toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("the launcher did not end");
        }
        Path out = outputs.get(process.pid());
        if (out == null) {
            throw new IllegalStateException("started elsewhere");
        }
        return new Launch(
                process.exitValue(),
                Files.readString(out),
                Files.readString(Path.of(out + ".err"), StandardCharsets.UTF_8));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path found(String tool) {
        return Arrays.stream(new String[] {"/usr/bin", "/bin"})
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + tool));
    }

    /** A checkout is older than the build that follows it. */
    private static void age(Path top) throws IOException {
        try (var tree = Files.walk(top)) {
            for (Path path : tree.toList()) {
                Files.setLastModifiedTime(
                        path,
                        FileTime.from(
                                Files.getLastModifiedTime(path).toInstant().minusSeconds(60)));
            }
        }
    }
}
