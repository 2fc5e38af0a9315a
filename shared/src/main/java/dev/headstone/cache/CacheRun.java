package dev.headstone.cache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One uninterrupted life of a primary, from its start or its promotion on. A restart gives it
 * another id of the process, a promotion another id of its history, so that whatever a snapshot or
 * a failover brings along speaks of other runs.
 *
 * @param name tells runs apart; of letters, digits and hyphens
 */
public record CacheRun(String name) {
    private static final Pattern FORM = Pattern.compile("[0-9A-Za-z-]{1,128}");

    /**
     * @throws IllegalArgumentException if the name has another form
     */
    public CacheRun {
        if (!FORM.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of a run does not match " + FORM);
        }
    }

    /**
     * The run of one node.
     *
     * @param runId of the process, which a restart changes
     * @param replicationId of its history, which a promotion changes
     */
    public static CacheRun of(String runId, String replicationId) {
        return new CacheRun(runId + "-" + replicationId);
    }

    /** The run of all primaries of a cluster together: another one as soon as one of them is. */
    static CacheRun ofAll(Collection<CacheRun> primaries) {
        String names =
                primaries.stream().map(CacheRun::name).sorted().collect(Collectors.joining(" "));
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(names.getBytes(StandardCharsets.US_ASCII));
            return new CacheRun("cluster-" + HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Where the marker lies that says this run has been swept. */
    public String marker() {
        return "swept:{" + name + "}";
    }
}
