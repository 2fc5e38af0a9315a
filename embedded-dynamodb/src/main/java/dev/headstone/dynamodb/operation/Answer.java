package dev.headstone.dynamodb.operation;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** What an operation answers. It holds all it needs, and can be written at any time. */
@FunctionalInterface
public interface Answer {
    /** The answer without content. */
    Answer EMPTY = _ -> {};

    /** Writes the fields of the answer's JSON object. */
    void writeFields(JsonGenerator out) throws IOException;
}
