package dev.headstone.standalone;

import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.FreePorts;
import dev.headstone.standalone.options.ServeCommand;
import dev.headstone.standalone.options.ServeOptions;
import java.io.IOException;

/** Runs the whole pipeline in this process until it is told to stop. */
final class Serve implements ServeCommand.Server {
    /** What did not start, in one line. */
    private static final int FAILED = 1;

    @Override
    public int serve(ServeOptions options, Console console)
            throws IOException, InterruptedException {
        FreePorts.require(options);
        StopSignal stop = StopSignal.install();
        int status = 0;
        try (Pipeline _ = Pipeline.start(options, console)) {
            stop.await();
            console.out().println("stopping");
        } catch (IOException e) {
            console.err().println("headstone: " + e.getMessage());
            status = FAILED;
        }
        console.out().flush();
        console.err().flush();
        stop.stopped(status);
        return status;
    }

    /** What is done while everything runs. */
    @FunctionalInterface
    interface Play {
        void run() throws IOException;
    }

    /** Starts everything, runs {@code play} and stops everything. */
    void during(ServeOptions options, Console console, Play play)
            throws IOException, InterruptedException {
        try (Pipeline _ = Pipeline.start(options, console)) {
            play.run();
        }
    }
}
