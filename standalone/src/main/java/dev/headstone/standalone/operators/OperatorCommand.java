package dev.headstone.standalone.operators;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.DataOption;
import dev.headstone.standalone.options.Misuse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code operator}: adds, lists and revokes tokens, with or without a running serve.
 */
@Command(
        name = "operator",
        description = "Adds, lists and revokes the tokens of the control port.",
        mixinStandardHelpOptions = true)
public final class OperatorCommand implements Runnable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private OperatorCommand() {}

    /**
     * The command with its subcommands.
     *
     * @param operators opens the tokens of a data folder
     */
    public static CommandLine commandLine(Console console, Function<Path, Operators> operators) {
        return new CommandLine(new OperatorCommand())
                .addSubcommand(new Add(console, operators))
                .addSubcommand(new ListAll(console, operators))
                .addSubcommand(new Revoke(console, operators));
    }

    @Override
    public void run() {
        throw new Misuse("operator needs a command: add, list or revoke");
    }

    /** What the three have in common. */
    private abstract static class OnFolder implements Callable<Integer> {
        @Mixin private final DataOption data = new DataOption();

        @Option(names = "--json", description = "print JSON")
        private boolean json;

        private final Console console;
        private final Function<Path, Operators> operators;

        OnFolder(Console console, Function<Path, Operators> operators) {
            this.console = console;
            this.operators = operators;
        }

        @Override
        public final Integer call() {
            try {
                return onOperators(operators.apply(data.folder(console)));
            } catch (IOException e) {
                return refused(String.valueOf(e.getMessage()));
            }
        }

        abstract int onOperators(Operators tokens) throws IOException;

        final boolean json() {
            return json;
        }

        final int said(Object line) {
            console.out().println(line);
            return 0;
        }

        final int refused(String reason) {
            console.err().println("headstone: " + reason);
            return 1;
        }
    }

    @Command(
            name = "add",
            description = "Makes a token; the last line printed is the token.",
            mixinStandardHelpOptions = true)
    private static final class Add extends OnFolder {
        @Parameters(paramLabel = "NAME", description = "the actor in receipts and audit")
        private String name = "";

        @Option(
                names = "--role",
                required = true,
                paramLabel = "operator|owner|reader",
                description = "what the holder may do")
        private String role = "";

        Add(Console console, Function<Path, Operators> operators) {
            super(console, operators);
        }

        @Override
        int onOperators(Operators tokens) throws IOException {
            if (!Operator.isName(name)) {
                throw new Misuse("NAME must be " + Operator.NAME_FORM);
            }
            Role typed =
                    Role.of(role)
                            .orElseThrow(
                                    () -> new Misuse("--role must be operator, owner or reader"));
            return switch (tokens.add(name, typed)) {
                case Operators.Addition.Added(String token) -> added(typed, token);
                case Operators.Addition.NameTaken _ ->
                        refused(
                                "%s has a token already; headstone operator revoke %s takes it back"
                                        .formatted(name, name));
            };
        }

        private int added(Role typed, String token) {
            if (json()) {
                ObjectNode line = JSON.createObjectNode();
                return said(line.put("name", name).put("role", typed.label()).put("token", token));
            }
            said(
                    "%s may act as %s with this token, which is shown only now:"
                            .formatted(name, typed.label()));
            return said(token);
        }
    }

    @Command(name = "list", description = "Lists who has a token.", mixinStandardHelpOptions = true)
    private static final class ListAll extends OnFolder {
        ListAll(Console console, Function<Path, Operators> operators) {
            super(console, operators);
        }

        @Override
        int onOperators(Operators tokens) throws IOException {
            ArrayNode array = JSON.createArrayNode();
            for (Operator operator : tokens.list()) {
                if (json()) {
                    array.addObject()
                            .put("name", operator.name())
                            .put("role", operator.role().label())
                            .put("created_at", operator.createdAt().toString());
                } else {
                    said(
                            "%-8s  %s  %s"
                                    .formatted(
                                            operator.role().label(),
                                            operator.createdAt(),
                                            operator.name()));
                }
            }
            return json() ? said(array) : 0;
        }
    }

    @Command(
            name = "revoke",
            description = "Takes a token back, at once.",
            mixinStandardHelpOptions = true)
    private static final class Revoke extends OnFolder {
        @Parameters(paramLabel = "NAME", description = "whose token")
        private String name = "";

        Revoke(Console console, Function<Path, Operators> operators) {
            super(console, operators);
        }

        @Override
        int onOperators(Operators tokens) throws IOException {
            if (!Operator.isName(name)) {
                throw new Misuse("NAME must be " + Operator.NAME_FORM);
            }
            if (!tokens.revoke(name)) {
                return refused(name + " has no token");
            }
            return said(
                    json()
                            ? JSON.createObjectNode().put("name", name).put("revoked", true)
                            : "the token of %s is no longer good".formatted(name));
        }
    }
}
