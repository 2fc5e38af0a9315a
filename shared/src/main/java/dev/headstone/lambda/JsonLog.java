package dev.headstone.lambda;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The logging backend of the functions: a line of JSON for each event, on standard output, where
 * Lambda collects it. Only the functions' jars name it as a provider. It reads no configuration
 * file, which is most of what a backend does at a cold start.
 */
public final class JsonLog implements SLF4JServiceProvider {
    private static final String API = "2.0.99"; // the newest that is known to be compatible

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new BasicMDCAdapter();
    private final ILoggerFactory loggers = JsonLogger::new;

    /** For the service loader. */
    public JsonLog() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        return loggers;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return API;
    }

    @Override
    public void initialize() {}
}
