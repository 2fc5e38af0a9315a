package dev.headstone.standalone.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.standalone.ChildJvm;
import dev.headstone.standalone.options.Misuse;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
    private static final ServeFile RUNNING =
            new ServeFile(
                    1,
                    2,
                    3,
                    Optional.of(URI.create("http://127.0.0.1:4")),
                    Optional.of(URI.create("http://127.0.0.1:5")));

    @TempDir private Path root;
    private Path folder;

    @BeforeEach
    void place() {
        folder = root.resolve("some/where/data");
    }

    @Test
    void theFolderIsMadeForItsOwnerOnly() throws IOException {
        try (DataDirectory data = DataDirectory.open(folder, false, 42)) {
            assertThat(data.path()).isEqualTo(folder);
            assertThat(data.part("queue")).isDirectory();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void aSecondOwnerIsRefusedInOneLineThatNamesTheFirst() throws IOException {
        try (DataDirectory _ = DataDirectory.open(folder, false, 42)) {
            assertThatThrownBy(() -> DataDirectory.open(folder, false, 43))
                    .isInstanceOf(Misuse.class)
                    .hasMessage("--data: another serve (process 42) is using this folder");
        }
        DataDirectory.open(folder, false, 43).close();
    }

    @Test
    void anOwnerThatWasKilledHoldsNobodyUp() throws Exception {
        try (ChildJvm owner = ChildJvm.start(Owner.class, folder.toString())) {
            long pid = Long.parseLong(owner.line());
            assertThatThrownBy(() -> DataDirectory.open(folder, false, 43))
                    .isInstanceOf(Misuse.class)
                    .hasMessageContaining("process " + pid);
            assertThat(ServeFile.read(folder)).isPresent();

            owner.kill();

            try (DataDirectory _ = DataDirectory.open(folder, false, 43)) {
                assertThat(ServeFile.read(folder)).isEmpty();
            }
        }
    }

    @Test
    void aFileIsNoFolder() throws IOException {
        Files.createDirectories(folder.getParent());
        Files.createFile(folder);

        assertThatThrownBy(() -> DataDirectory.open(folder, false, 42))
                .isInstanceOf(Misuse.class)
                .hasMessage("--data is not a folder that can be written");
    }

    @Test
    void serveJsonIsThereFromReadyToStopAndSaysWhereEverythingIs() throws IOException {
        try (DataDirectory data = DataDirectory.open(folder, false, 42)) {
            assertThat(folder.resolve("serve.json")).doesNotExist();

            data.publish(RUNNING);

            ObjectMapper json = new ObjectMapper();
            assertThat(json.readTree(folder.resolve("serve.json").toFile()))
                    .isEqualTo(
                            json.readTree(
                                    """
                                    {"port": 1, "control_port": 2, "pid": 3,
                                     "dynamodb_endpoint": "http://127.0.0.1:4",
                                     "sqs_endpoint": "http://127.0.0.1:5"}
                                    """));
            assertThat(ServeFile.read(folder)).contains(RUNNING);
        }
        assertThat(folder.resolve("serve.json")).doesNotExist();
    }

    @Test
    void whatIsNotEmbeddedHasNoEndpoint() throws IOException {
        ServeFile elsewhere = new ServeFile(1, 2, 3, Optional.empty(), Optional.empty());
        try (DataDirectory data = DataDirectory.open(folder, false, 42)) {
            data.publish(elsewhere);

            assertThat(Files.readString(folder.resolve("serve.json"))).doesNotContain("endpoint");
            assertThat(ServeFile.read(folder)).contains(elsewhere);
        }
    }

    @Test
    void halfAServeJsonIsNone() throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("serve.json"), "{\"port\": 1");
        assertThat(ServeFile.read(folder)).isEmpty();

        Files.writeString(folder.resolve("serve.json"), "{\"port\": 1}");
        assertThat(ServeFile.read(folder)).isEmpty();
    }

    @Test
    void inMemoryLeavesNothing() throws IOException {
        try (DataDirectory data = DataDirectory.open(folder, true, 42)) {
            data.publish(RUNNING);
            Files.createFile(data.part("redis").resolve("redis.pid"));
            PrivateFile.write(folder.resolve("local-token"), "x");
        }

        assertThat(folder).doesNotExist();
    }

    @Test
    void inMemoryLeavesWhatWasThereBefore() throws IOException {
        Files.createDirectories(folder.resolve("table"));
        Files.writeString(folder.resolve("table/links"), "kept");
        PrivateFile.write(folder.resolve("operators.json"), "{}");
        try (DataDirectory data = DataDirectory.open(folder, true, 42)) {
            data.publish(RUNNING);
            PrivateFile.write(folder.resolve("local-token"), "x");
        }

        assertThat(folder)
                .isDirectoryNotContaining("glob:**/{serve.json,local-token,serve.lock}")
                .isDirectoryContaining("glob:**/operators.json");
        assertThat(folder.resolve("table/links")).hasContent("kept");
    }

    /** Takes the folder, says it is ready, and waits to be killed. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] arguments) throws Exception {
            long pid = ProcessHandle.current().pid();
            DataDirectory data = DataDirectory.open(Path.of(arguments[0]), false, pid);
            data.publish(new ServeFile(1, 2, pid, Optional.empty(), Optional.empty()));
            System.out.println(pid);
            Thread.currentThread().join();
            data.close();
        }
    }
}
