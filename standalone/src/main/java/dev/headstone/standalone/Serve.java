package dev.headstone.standalone;

import dev.headstone.standalone.data.DataDirectory;
import dev.headstone.standalone.options.Console;
import dev.headstone.standalone.options.FreePorts;
import dev.headstone.standalone.options.ServeCommand;
import dev.headstone.standalone.options.ServeOptions;
import java.io.IOException;

/** Runs the whole pipeline in this process until it is told to stop. */
final class Serve implements ServeCommand.Server {

    @Override
    public int serve(ServeOptions options, Console console)
            throws IOException, InterruptedException {
        FreePorts.require(options);
        StopSignal stop = StopSignal.install();
        try (Running _ = start(options, console)) {
            stop.await();
        }
        stop.stopped(0);
        return 0;
    }

    /** Starts every part; what is returned stops them, last first. */
    Running start(ServeOptions options, Console console) {
        DataDirectory data =
                DataDirectory.open(
                        options.data(), options.inMemory(), ProcessHandle.current().pid());
        console.out().println("data    " + data.path());
        return data::close;
    }

    /** The parts, running. */
    @FunctionalInterface
    interface Running extends AutoCloseable {
        @Override
        void close() throws IOException;
    }
}
