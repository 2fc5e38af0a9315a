package dev.headstone.standalone.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what was wrong with a command line, without quoting a value. */
public final class Usage {
    private static final int LONGEST_NAME = 40;
    private static final Pattern OPTION = Pattern.compile("option '(--[a-z-]+)'");

    private Usage() {}

    /** The line for a fault that the parser found. */
    public static String fault(ParameterException fault) {
        return switch (fault) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched);
            case MissingParameterException missing when !missing.getMissing().isEmpty() ->
                    missing(missing.getMissing().getFirst());
            case OverwrittenOptionException twice ->
                    name(twice.getOverwritten()) + " is given twice";
            default -> named(fault) + " is malformed";
        };
    }

    private static String missing(ArgSpec missing) {
        return name(missing) + (missing.isOption() ? " needs a value" : " is missing");
    }

    /** Some of the parser's faults name the option only in their message, beside the value. */
    private static String named(ParameterException fault) {
        if (fault.getArgSpec() != null) {
            return name(fault.getArgSpec());
        }
        Matcher option = OPTION.matcher(String.valueOf(fault.getMessage()));
        return option.find() ? option.group(1) : "the command line";
    }

    private static String unmatched(UnmatchedArgumentException fault) {
        String first = fault.getUnmatched().getFirst();
        if (first.startsWith("-")) {
            return "unknown option " + shown(first.split("=", 2)[0]);
        }
        return !fault.getCommandLine().getSubcommands().isEmpty()
                ? "unknown command " + shown(first)
                // It may be the value of a mistyped option, and a password.
                : fault.getCommandLine().getCommandName() + " was given an argument too many";
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    /** Short enough for one line, and without what a terminal would act on. */
    private static String shown(String name) {
        String printable = name.replaceAll("[^\\x21-\\x7e]", "?");
        return printable.length() <= LONGEST_NAME
                ? printable
                : printable.substring(0, LONGEST_NAME) + "…";
    }
}
