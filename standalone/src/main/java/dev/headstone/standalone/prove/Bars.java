package dev.headstone.standalone.prove;

import dev.headstone.proof.Spectator;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on standard error, if somebody looks on. For one thread. */
final class Bars implements Spectator, AutoCloseable {
    private static final int REFRESH_MILLIS = 250;
    private static final int LONGEST_NAME = 48;

    private final boolean shown;
    private Optional<ProgressBar> bar = Optional.empty();

    Bars(boolean shown) {
        this.shown = shown;
    }

    @Override
    public void begins(String what, long most) {
        if (shown) {
            bar =
                    Optional.of(
                            new ProgressBarBuilder()
                                    .setTaskName(shortened(what))
                                    .setInitialMax(most)
                                    .setStyle(ProgressBarStyle.ASCII)
                                    .setUpdateIntervalMillis(REFRESH_MILLIS)
                                    .setConsumer(new ConsoleProgressBarConsumer(System.err))
                                    .clearDisplayOnFinish()
                                    .build());
        }
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME - 1) + "…";
    }

    @Override
    public void reached(long done) {
        bar.ifPresent(open -> open.stepTo(done));
    }

    @Override
    public void ended() {
        bar.ifPresent(ProgressBar::close);
        bar = Optional.empty();
    }

    @Override
    public void close() {
        ended();
    }
}
