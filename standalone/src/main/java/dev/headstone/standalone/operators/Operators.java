package dev.headstone.standalone.operators;

import dev.headstone.standalone.data.PrivateFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that open the control port of the {@code serve} on one data folder. Any number of
 * processes may add and revoke; each sees the others' changes at its next request. Safe for use by
 * many threads.
 */
public final class Operators {
    /** The actor behind {@code local-token}, a name that nobody else can have. */
    public static final String LOCAL = "local";

    /** The name of the operator that the first start makes. */
    public static final String FIRST = "operator";

    private static final String FILE = "operators.json";
    private static final String LOCK = "operators.lock";
    private static final String LOCAL_TOKEN = "local-token";

    /** Together 10 s; whoever holds the lock writes one small file. */
    private static final int LOCK_TRIES = 500;

    private static final int LOCK_PAUSE_MILLIS = 20;

    private final Path folder;
    private final SecureRandom random;
    private final InstantSource clock;
    private final WatchedFile<Map<String, Caller>> named;
    private final WatchedFile<Map<String, Caller>> local;

    /** What became of {@link #add}. */
    public sealed interface Addition {
        /** The token, which nobody can look up again. */
        record Added(String token) implements Addition {
            @Override
            public String toString() {
                return "Added[token=…]";
            }
        }

        /** The name is in use, or the one of this machine's own token. */
        record NameTaken() implements Addition {}
    }

    /** With the files in {@code folder}, which need not exist yet. */
    public Operators(Path folder, SecureRandom random, InstantSource clock) {
        this.folder = folder;
        this.random = random;
        this.clock = clock;
        this.named =
                new WatchedFile<>(
                        folder.resolve(FILE), Map.of(), text -> byHash(OperatorsFile.read(text)));
        this.local =
                new WatchedFile<>(
                        folder.resolve(LOCAL_TOKEN),
                        Map.of(),
                        text ->
                                text.isBlank()
                                        ? Map.of()
                                        : Map.of(
                                                Token.hash(text.strip()),
                                                new Caller(LOCAL, Role.OPERATOR)));
    }

    /**
     * Who holds {@code token}, as the files say at this moment. The look-up is by the token's hash:
     * what its timing tells of a hash that is stored helps nobody to a token, who would have to
     * invert it.
     *
     * @param token what stood after {@code Bearer} in the request
     * @return empty for a token that was never issued, or was revoked
     */
    public Optional<Caller> authenticate(String token) {
        String hash = Token.hash(token);
        return Optional.ofNullable(named.get().get(hash))
                .or(() -> Optional.ofNullable(local.get().get(hash)));
    }

    /** All named tokens, in order of creation. */
    public List<Operator> list() throws IOException {
        try {
            return OperatorsFile.read(Files.readString(folder.resolve(FILE)));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /**
     * Issues a token.
     *
     * @throws IllegalArgumentException when the name is none
     * @throws IOException when the folder cannot be written, or others hold the lock for 10 s
     */
    public Addition add(String name, Role role) throws IOException {
        if (!Operator.isName(name)) {
            throw new IllegalArgumentException("a name must be " + Operator.NAME_FORM);
        }
        return locked(() -> addUnderLock(name, role));
    }

    /**
     * Takes a token back, at once also for a running {@code serve}.
     *
     * @return whether there was one of that name
     */
    public boolean revoke(String name) throws IOException {
        return locked(
                () -> {
                    List<Operator> all = list();
                    List<Operator> others =
                            all.stream().filter(other -> !other.name().equals(name)).toList();
                    if (others.size() == all.size()) {
                        return false;
                    }
                    store(others);
                    return true;
                });
    }

    /**
     * Issues the first token of a data folder, for {@link #FIRST}.
     *
     * @return the token; empty when the folder has had operators already, revoked ones included
     */
    public Optional<String> addFirst() throws IOException {
        return locked(
                () ->
                        Files.exists(folder.resolve(FILE))
                                ? Optional.empty()
                                : switch (addUnderLock(FIRST, Role.OPERATOR)) {
                                    case Addition.Added added -> Optional.of(added.token());
                                    case Addition.NameTaken _ -> Optional.empty();
                                });
    }

    /** The token of this machine's own commands, made when it is missing. */
    public String ensureLocalToken() throws IOException {
        return locked(
                () -> {
                    Optional<String> existing = localToken(folder);
                    if (existing.isPresent()) {
                        return existing.get();
                    }
                    String token = Token.random(random);
                    PrivateFile.write(folder.resolve(LOCAL_TOKEN), token + "\n");
                    return token;
                });
    }

    /** The token that a command on this machine may use, if the data folder has one. */
    public static Optional<String> localToken(Path folder) throws IOException {
        try {
            return Optional.of(Files.readString(folder.resolve(LOCAL_TOKEN)).strip())
                    .filter(token -> !token.isEmpty());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Addition addUnderLock(String name, Role role) throws IOException {
        List<Operator> all = list();
        if (name.equals(LOCAL) || all.stream().anyMatch(other -> other.name().equals(name))) {
            return new Addition.NameTaken();
        }
        String token = Token.random(random);
        Operator added =
                new Operator(
                        name,
                        role,
                        Token.hash(token),
                        clock.instant().truncatedTo(ChronoUnit.MILLIS));
        store(Stream.concat(all.stream(), Stream.of(added)).toList());
        return new Addition.Added(token);
    }

    private void store(List<Operator> operators) throws IOException {
        PrivateFile.write(folder.resolve(FILE), OperatorsFile.write(operators));
    }

    private static Map<String, Caller> byHash(List<Operator> operators) {
        return operators.stream()
                .collect(
                        Collectors.toMap(
                                Operator::tokenHash, Operator::caller, (first, _) -> first));
    }

    /** What is done while no other process or thread changes the files. */
    @FunctionalInterface
    private interface Change<T> {
        T make() throws IOException;
    }

    private <T> T locked(Change<T> change) throws IOException {
        PrivateFile.createFolder(folder);
        try (FileChannel channel = PrivateFile.openForLock(folder.resolve(LOCK));
                FileLock _ = lock(channel)) {
            return change.make();
        }
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        for (int tries = 0; tries < LOCK_TRIES; tries++) {
            FileLock lock = tryLock(channel);
            if (lock != null) {
                return lock;
            }
            try {
                Thread.sleep(LOCK_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while another process changes operators.json");
            }
        }
        throw new IOException("another process has been changing operators.json for 10 s");
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another thread of this process has it.
            return null;
        }
    }
}
