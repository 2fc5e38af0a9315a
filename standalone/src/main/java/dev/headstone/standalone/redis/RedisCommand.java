package dev.headstone.standalone.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The command that starts a redis-server, for whoever starts and ends one by himself. */
public final class RedisCommand {
    private static final long TRIAL_SECONDS = 5;

    private RedisCommand() {}

    /**
     * The redis-server that {@code serve} would run. Where setpriv works, the kernel ends the child
     * with the thread that started it.
     *
     * @param folder for the binary, where none is on the PATH
     * @param environment its PATH is searched
     * @throws IOException if there is none for this machine
     */
    public static List<String> find(Path folder, Map<String, String> environment)
            throws IOException, InterruptedException {
        String path = environment.getOrDefault("PATH", "");
        String redis = RedisBinary.find(path, folder).toString();
        Optional<Path> setpriv = RedisBinary.onPath(path, "setpriv");
        if (setpriv.isPresent()) {
            List<String> tied =
                    List.of(setpriv.get().toString(), "--pdeathsig", "KILL", "--", redis);
            if (works(tied)) {
                return tied;
            }
        }
        return List.of(redis);
    }

    /** An old setpriv, or one that may not, must not keep Redis from running. */
    private static boolean works(List<String> command) throws IOException, InterruptedException {
        List<String> trial = new ArrayList<>(command);
        trial.add("--version");
        Process process =
                new ProcessBuilder(trial)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        process.getOutputStream().close();
        if (!process.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }
}
