package dev.headstone.standalone.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that change one link and end with a receipt. */
abstract class ChangeCommand extends Asking {
    @Parameters(paramLabel = "CODE", description = "the code of the link")
    private String code = "";

    private ChangeCommand(Shell shell) {
        super(shell);
    }

    abstract Question question(String path);

    @Override
    void check() {
        code(code);
    }

    @Override
    final int ask(ControlClient serve) {
        return ask(serve, question("/v1/links/" + code(code).value()), this::receipt);
    }

    @Command(
            name = "confirm",
            description = "Writes the tombstone of a dead link again, and waits until it is there.",
            mixinStandardHelpOptions = true)
    static final class Confirm extends ChangeCommand {
        Confirm(Shell shell) {
            super(shell);
        }

        @Override
        Question question(String path) {
            return Question.post(path + "/confirm");
        }
    }

    @Command(
            name = "restore",
            description = "Brings back a link that was taken down or switched off.",
            mixinStandardHelpOptions = true)
    static final class Restore extends ChangeCommand {
        @Option(
                names = "--reason",
                required = true,
                paramLabel = "TEXT",
                description = "why, for the audit log: 1 to 500 characters")
        private String reason = "";

        Restore(Shell shell) {
            super(shell);
        }

        @Override
        void check() {
            super.check();
            reason(reason);
        }

        @Override
        Question question(String path) {
            return Question.post(path + "/restore", object().put("reason", reason));
        }
    }

    @Command(
            name = "deactivate",
            description = "Switches a link off; its owner may switch it on again.",
            mixinStandardHelpOptions = true)
    static final class Deactivate extends ChangeCommand {
        Deactivate(Shell shell) {
            super(shell);
        }

        @Override
        Question question(String path) {
            return Question.patch(path, object().put("state", "deactivated"));
        }
    }

    @Command(
            name = "reactivate",
            description = "Switches a link on again that was switched off.",
            mixinStandardHelpOptions = true)
    static final class Reactivate extends ChangeCommand {
        Reactivate(Shell shell) {
            super(shell);
        }

        @Override
        Question question(String path) {
            return Question.patch(path, object().put("state", "active"));
        }
    }
}
