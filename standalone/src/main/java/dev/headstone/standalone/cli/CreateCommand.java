package dev.headstone.standalone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.standalone.options.Misuse;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code create}. It goes under a key, so that running it again after a silence makes
 * no second link.
 */
@Command(name = "create", description = "Creates a link.", mixinStandardHelpOptions = true)
final class CreateCommand extends Asking {
    @Parameters(paramLabel = "URL", description = "where the link goes")
    private String url = "";

    @Option(names = "--alias", paramLabel = "CODE", description = "its code (a random one)")
    private @Nullable String alias;

    @Option(
            names = "--expires-at",
            paramLabel = "TIME",
            description = "when it ends, such as 2027-01-31T00:00:00Z")
    private @Nullable String expiresAt;

    @Option(
            names = "--visit-limit",
            paramLabel = "N",
            description = "how often it redirects at most")
    private @Nullable Long visitLimit;

    @Option(names = "--owner", paramLabel = "NAME", description = "whose it is")
    private @Nullable String owner;

    @Option(names = "--tag", paramLabel = "TAG", description = "may be given up to 20 times")
    private List<String> tags = new ArrayList<>();

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "of an earlier run that was not confirmed: makes no second link")
    private @Nullable String key;

    CreateCommand(Shell shell) {
        super(shell);
    }

    @Override
    void check() {
        if (key != null && !key.matches("[!-~]{1,255}")) {
            throw new Misuse("--idempotency-key must be 1 to 255 visible ASCII characters");
        }
    }

    @Override
    int ask(ControlClient serve) {
        return ask(serve, Question.post("/v1/links", link()).under(usedKey()), this::show);
    }

    @Override
    String hint() {
        return " with --idempotency-key " + usedKey();
    }

    private String usedKey() {
        if (key == null) {
            byte[] fresh = new byte[16];
            shell.random().nextBytes(fresh);
            key = HexFormat.of().formatHex(fresh);
        }
        return key;
    }

    private ObjectNode link() {
        ObjectNode link = object().put("long_url", url);
        putIfGiven(link, "alias", alias);
        putIfGiven(link, "expires_at", expiresAt);
        putIfGiven(link, "owner", owner);
        if (visitLimit != null) {
            link.put("visit_limit", visitLimit);
        }
        if (!tags.isEmpty()) {
            ArrayNode all = link.putArray("tags");
            tags.forEach(all::add);
        }
        return link;
    }

    private static void putIfGiven(ObjectNode link, String field, @Nullable String value) {
        if (value != null) {
            link.put(field, value);
        }
    }

    private int show(JsonNode link) {
        if (!link.path("short_url").isTextual()) {
            err("not confirmed: the answer is no link; run it again" + hint());
            return NOT_CONFIRMED;
        }
        if (!isJson()) {
            say(Plain.text(link.path("short_url")));
        }
        return CONFIRMED;
    }
}
