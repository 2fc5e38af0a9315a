package dev.headstone.lambda;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.Marker;
import org.slf4j.event.DefaultLoggingEvent;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/**
 * Writes events as lines of JSON: ours from {@code INFO} on, others' from {@code WARN} on. Safe for
 * use by several threads.
 */
final class JsonLogger extends AbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1L;
    private static final JsonFactory JSON = new JsonFactory();
    private static final InstantSource CLOCK = Clock.tickMillis(ZoneOffset.UTC);
    private static final String OURS = "dev.headstone.";

    /** A line that is longer than 256 KB, CloudWatch cuts. */
    private static final int LONGEST_STACK = 8_192;

    private final Level from;

    JsonLogger(String name) {
        this.name = name;
        this.from = name.startsWith(OURS) ? Level.INFO : Level.WARN;
    }

    private boolean takes(Level level) {
        return level.toInt() >= from.toInt();
    }

    @Override
    public boolean isTraceEnabled() {
        return false;
    }

    @Override
    public boolean isTraceEnabled(Marker marker) {
        return false;
    }

    @Override
    public boolean isDebugEnabled() {
        return false;
    }

    @Override
    public boolean isDebugEnabled(Marker marker) {
        return false;
    }

    @Override
    public boolean isInfoEnabled() {
        return takes(Level.INFO);
    }

    @Override
    public boolean isInfoEnabled(Marker marker) {
        return isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return takes(Level.WARN);
    }

    @Override
    public boolean isWarnEnabled(Marker marker) {
        return isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return takes(Level.ERROR);
    }

    @Override
    public boolean isErrorEnabled(Marker marker) {
        return isErrorEnabled();
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        DefaultLoggingEvent event = new DefaultLoggingEvent(level, this);
        event.setMessage(MessageFormatter.basicArrayFormat(pattern, arguments));
        event.setThrowable(failure);
        log(event);
    }

    @Override
    public void log(LoggingEvent event) {
        if (takes(event.getLevel())) {
            StandardOutput.line(line(event));
        }
    }

    private String line(LoggingEvent event) {
        StringWriter text = new StringWriter(256);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("timestamp", CLOCK.instant().toString());
            json.writeStringField("level", event.getLevel().name());
            json.writeStringField("logger", name);
            json.writeStringField("message", message(event));
            for (Map.Entry<String, String> entry : context().entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            if (event.getKeyValuePairs() != null) {
                for (KeyValuePair pair : event.getKeyValuePairs()) {
                    write(json, pair);
                }
            }
            if (event.getThrowable() != null) {
                json.writeStringField("error", stack(event.getThrowable()));
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static String message(LoggingEvent event) {
        String message =
                MessageFormatter.basicArrayFormat(event.getMessage(), event.getArgumentArray());
        return message == null ? "" : message;
    }

    private static Map<String, String> context() {
        return Optional.ofNullable(MDC.getCopyOfContextMap()).orElse(Map.of());
    }

    private static void write(JsonGenerator json, KeyValuePair pair) throws IOException {
        json.writeFieldName(pair.key);
        switch (pair.value) {
            case null -> json.writeNull();
            case Long number -> json.writeNumber(number);
            case Integer number -> json.writeNumber(number);
            case Boolean flag -> json.writeBoolean(flag);
            default -> json.writeString(pair.value.toString());
        }
    }

    private static String stack(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.getBuffer().substring(0, Math.min(text.getBuffer().length(), LONGEST_STACK));
    }
}
