package dev.headstone.standalone.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All event sources of a process, started and closed as one. */
public final class EventSources implements AutoCloseable {
    private final List<EventSource> sources;
    private final DeadLetters deadLetters;

    /** Takes the sources over: they are closed with this. */
    public EventSources(List<? extends EventSource> sources, DeadLetters deadLetters) {
        this.sources = List.copyOf(sources);
        this.deadLetters = deadLetters;
    }

    /**
     * Starts all sources.
     *
     * @throws IllegalStateException when they were started or closed before
     */
    public void start() {
        sources.forEach(EventSource::start);
        deadLetters.start();
    }

    /** How each source is doing, by its name. */
    public Map<String, SourceState> states() {
        Map<String, SourceState> states = new LinkedHashMap<>();
        sources.forEach(source -> states.put(source.name(), source.state()));
        return states;
    }

    /** Closes all sources at once, each as {@link EventSource#close} says; takes 5 s at most. */
    @Override
    public void close() {
        deadLetters.close();
        List<Thread> closing = new ArrayList<>();
        for (EventSource source : sources) {
            closing.add(Thread.ofVirtual().name("close-" + source.name()).start(source::close));
        }
        try {
            for (Thread thread : closing) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
