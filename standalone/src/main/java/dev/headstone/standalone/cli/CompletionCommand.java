package dev.headstone.standalone.cli;

import dev.headstone.standalone.options.Console;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code completion}: a script that completes commands and options in bash and zsh. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash: source <(headstone completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    private final Console console;

    @Spec private CommandSpec spec;

    CompletionCommand(Console console) {
        this.console = console;
        this.spec = CommandSpec.create();
    }

    @Override
    public Integer call() {
        console.out().print(AutoComplete.bash("headstone", spec.root().commandLine()));
        console.out().flush();
        return 0;
    }
}
