package dev.headstone.standalone.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.headstone.standalone.operators.Operators.Addition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OperatorsTest {
    private static final Instant NOW = Instant.parse("2026-12-01T10:00:00.123Z");

    @TempDir private Path root;
    private Path folder;
    private Operators operators;

    @BeforeEach
    void open() {
        folder = root.resolve("data");
        operators = another();
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void aTokenNamesItsHolderAndRole(Role role) throws IOException {
        String token = added("ada@example.org", role);

        assertThat(operators.authenticate(token)).contains(new Caller("ada@example.org", role));
        assertThat(another().authenticate(token)).contains(new Caller("ada@example.org", role));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hs_", "wrong", "operator"})
    void whatWasNeverIssuedOpensNothing(String token) throws IOException {
        added("ada", Role.OPERATOR);
        operators.ensureLocalToken();

        assertThat(operators.authenticate(token)).isEmpty();
    }

    @Test
    void aTokenIs256RandomBitsAndOnlyItsHashIsStored() throws IOException {
        String token = added("ada", Role.OPERATOR);

        assertThat(token).matches("hs_[A-Za-z0-9_-]{43}").isNotEqualTo(added("bob", Role.READER));
        assertThat(Files.readString(folder.resolve("operators.json")))
                .doesNotContain(token, token.substring(3))
                .contains(Token.hash(token));
    }

    @Test
    void theHashItselfOpensNothing() throws IOException {
        String token = added("ada", Role.OPERATOR);

        assertThat(operators.authenticate(Token.hash(token))).isEmpty();
    }

    @Test
    void filesAreForTheirOwnerOnly() throws IOException {
        added("ada", Role.OPERATOR);
        operators.ensureLocalToken();

        for (String file : List.of("operators.json", "local-token", "operators.lock")) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void whatAnotherProcessAddsOrRevokesCountsAtTheNextRequest() throws IOException {
        Operators elsewhere = another();
        for (int round = 0; round < 50; round++) {
            String token = added(elsewhere, "ada", Role.OWNER);
            assertThat(operators.authenticate(token)).isPresent();
            assertThat(elsewhere.revoke("ada")).isTrue();
            assertThat(operators.authenticate(token)).isEmpty();
        }
    }

    @Test
    void aTokenThatReplacedAnotherOfTheSameLengthCountsAtOnce() throws IOException {
        Operators elsewhere = another();
        String old = added(elsewhere, "ada", Role.OWNER);
        assertThat(operators.authenticate(old)).isPresent();

        elsewhere.revoke("ada");
        String fresh = added(elsewhere, "ada", Role.OWNER);

        assertThat(operators.authenticate(old)).isEmpty();
        assertThat(operators.authenticate(fresh)).isPresent();
    }

    @Test
    void aNameHasOneToken() throws IOException {
        added("ada", Role.READER);

        assertThat(operators.add("ada", Role.OPERATOR)).isEqualTo(new Addition.NameTaken());
        assertThat(operators.list()).extracting(Operator::role).containsExactly(Role.READER);
    }

    @Test
    void nobodyElseIsCalledLocal() throws IOException {
        assertThat(operators.add("local", Role.READER)).isEqualTo(new Addition.NameTaken());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "ä", "a\n"})
    void anythingElseIsNoName(String name) {
        assertThatThrownBy(() -> operators.add(name, Role.READER))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameHasUpTo64Characters() throws IOException {
        added("a".repeat(64), Role.READER);

        assertThatThrownBy(() -> operators.add("a".repeat(65), Role.READER))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void revokingSomebodyUnknownSaysSoAndKeepsTheOthers() throws IOException {
        String token = added("ada", Role.READER);

        assertThat(operators.revoke("bob")).isFalse();
        assertThat(operators.authenticate(token)).isPresent();
    }

    @Test
    void theListIsInOrderOfCreationWithTheTime() throws IOException {
        added("zoe", Role.READER);
        added("ada", Role.OWNER);

        assertThat(operators.list())
                .extracting(Operator::name, Operator::createdAt)
                .containsExactly(tuple("zoe", NOW), tuple("ada", NOW));
    }

    @Test
    void theFirstStartMakesAnOperatorAndLaterOnesDoNot() throws IOException {
        String token = operators.addFirst().orElseThrow();

        assertThat(operators.authenticate(token)).contains(new Caller("operator", Role.OPERATOR));
        assertThat(operators.addFirst()).isEmpty();

        operators.revoke("operator");

        assertThat(another().addFirst()).isEmpty();
    }

    @Test
    void theLocalTokenActsAsLocalAndStaysTheSame() throws IOException {
        String token = operators.ensureLocalToken();

        assertThat(operators.authenticate(token)).contains(new Caller("local", Role.OPERATOR));
        assertThat(another().ensureLocalToken()).isEqualTo(token);
        assertThat(Operators.localToken(folder)).contains(token);
    }

    @Test
    void anEmptyLocalTokenOpensNothingAndIsReplaced() throws IOException {
        operators.ensureLocalToken();
        Files.writeString(folder.resolve("local-token"), "\n");

        assertThat(operators.authenticate("")).isEmpty();
        assertThat(operators.ensureLocalToken()).startsWith("hs_");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "{\"operators\":[{\"name\":\"ada\"}]}",
                "{\"operators\":[{\"name\":\"ada\",\"role\":\"god\",\"token_sha256\":"
                        + "\"0000000000000000000000000000000000000000000000000000000000000000\","
                        + "\"created_at\":\"2026-12-01T10:00:00Z\"}]}",
            })
    void aFileThatMakesNoSenseLetsNobodyInAndIsNotOverwritten(String text) throws IOException {
        String token = added("ada", Role.OPERATOR);
        assertThat(operators.authenticate(token)).isPresent();
        Files.writeString(folder.resolve("operators.json"), text);

        assertThat(operators.authenticate(token)).isEmpty();
        assertThatThrownBy(() -> operators.add("bob", Role.READER))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("operators.json");
        assertThat(Files.readString(folder.resolve("operators.json"))).isEqualTo(text);
    }

    @Test
    void addingFromManyThreadsAndInstancesLosesNobody() throws Exception {
        int writers = 8;
        int each = 5;
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            String name = "writer" + writer + "-";
            tasks.add(
                    () -> {
                        Operators own = another();
                        for (int number = 0; number < each; number++) {
                            added(own, name + number, Role.READER);
                        }
                        return each;
                    });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
            for (Future<Integer> done : threads.invokeAll(tasks)) {
                assertThat(done.get()).isEqualTo(each);
            }
        }

        assertThat(operators.list()).hasSize(writers * each);
    }

    @Test
    void anAdditionDoesNotShowItsToken() throws IOException {
        assertThat(operators.add("ada", Role.READER).toString()).doesNotContain("hs_");
    }

    private Operators another() {
        return new Operators(folder, new SecureRandom(), InstantSource.fixed(NOW));
    }

    private String added(String name, Role role) throws IOException {
        return added(operators, name, role);
    }

    private static String added(Operators operators, String name, Role role) throws IOException {
        return switch (operators.add(name, role)) {
            case Addition.Added(String token) -> token;
            case Addition.NameTaken _ -> throw new AssertionError("taken: " + name);
        };
    }
}
