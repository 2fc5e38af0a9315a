package dev.headstone.standalone.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands that speak to a running {@code serve}, and the completion of all. */
public final class Commands {
    private static final Map<String, String> EXITS = new LinkedHashMap<>();

    static {
        EXITS.put("0", "confirmed");
        EXITS.put("1", "refused or failed");
        EXITS.put("2", "misuse");
        EXITS.put("3", "not confirmed, run it again");
    }

    private Commands() {}

    /**
     * As subcommands of another.
     *
     * @param takedowns takes down on AWS
     */
    public static List<CommandLine> all(Shell shell, TakedownCommand.Operator takedowns) {
        return Stream.of(
                        new CreateCommand(shell),
                        new ShowCommand(shell),
                        new TakedownCommand(shell, takedowns),
                        new ChangeCommand.Confirm(shell),
                        new ChangeCommand.Restore(shell),
                        new ChangeCommand.Deactivate(shell),
                        new ChangeCommand.Reactivate(shell),
                        new TakedownsCommand(shell),
                        new AuditCommand(shell),
                        new SweepCommand(shell),
                        new StatusCommand(shell),
                        new CompletionCommand(shell.console()))
                .map(CommandLine::new)
                .map(Commands::withExits)
                .toList();
    }

    private static CommandLine withExits(CommandLine command) {
        command.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit status:%n")
                .exitCodeList(EXITS);
        return command;
    }
}
