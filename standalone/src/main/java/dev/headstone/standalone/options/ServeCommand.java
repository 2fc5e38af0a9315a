package dev.headstone.standalone.options;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command {@code serve}: its options, made from {@link Setting}, handed to what serves. */
public final class ServeCommand implements Callable<Integer> {

    /** What {@code serve} does once its options are known. */
    @FunctionalInterface
    public interface Server {
        /**
         * Serves until it is told to stop.
         *
         * @return the exit status
         * @throws Misuse when something the options name cannot be had, such as a port in use
         * @throws Exception when a part does not start, or breaks for good
         */
        int serve(ServeOptions options, Console console) throws Exception;
    }

    private final Console console;
    private final Server server;
    private final CommandSpec spec;

    /** With the server that is handed the options. */
    public ServeCommand(Console console, Server server) {
        this.console = console;
        this.server = server;
        this.spec = CommandSpec.wrapWithoutInspection(this);
        spec.name("serve");
        spec.usageMessage()
                .description("Runs the whole pipeline on this machine until it is stopped.")
                .footer(
                        "",
                        "Each option is also an environment variable: --control-port is"
                                + " HEADSTONE_CONTROL_PORT.");
        spec.usageMessage().sortOptions(false);
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("show this and exit")
                        .build());
        Arrays.stream(Setting.values()).map(ServeCommand::option).forEach(spec::addOption);
    }

    /** The command as a subcommand of another. */
    public CommandLine commandLine() {
        return new CommandLine(spec);
    }

    @Override
    public Integer call() throws Exception {
        return server.serve(ServeOptions.from(typed(), console.environment()), console);
    }

    private Map<Setting, String> typed() {
        Map<Setting, String> typed = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            OptionSpec option = spec.commandLine().getParseResult().matchedOption(setting.option());
            if (option != null) {
                typed.put(setting, String.valueOf(option.<Object>getValue()));
            }
        }
        return typed;
    }

    private static OptionSpec option(Setting setting) {
        OptionSpec.Builder option =
                OptionSpec.builder(setting.option())
                        .description(setting.description() + " (" + setting.fallback() + ")");
        return setting.isSwitch()
                ? option.type(Boolean.class).arity("0").negatable(true).build()
                : option.type(String.class).paramLabel(setting.label()).build();
    }
}
