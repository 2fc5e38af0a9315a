package dev.headstone.standalone.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.writer.ControlResponse;
import java.util.List;
import java.util.Optional;

/** Tells by part whether the process can do its work. Immutable. */
final class Readiness {
    private final List<Part> parts;

    Readiness(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** {@code {"ready", "parts": {name: {"ready", "why"?}}}}: 200, or 503 while a part is not. */
    ControlResponse answer() {
        ObjectNode byPart = JsonNodeFactory.instance.objectNode();
        boolean ready = true;
        for (Part part : parts) {
            Optional<String> fault = faultOf(part);
            ready &= fault.isEmpty();
            ObjectNode shown = byPart.putObject(part.name()).put("ready", fault.isEmpty());
            fault.ifPresent(why -> shown.put("why", why));
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("ready", ready);
        answer.set("parts", byPart);
        ControlResponse response = ControlResponse.json(ready ? 200 : 503, answer.toString());
        return ready ? response : response.with("Retry-After", "1");
    }

    /** A part that cannot even say so does not work. */
    private static Optional<String> faultOf(Part part) {
        try {
            return part.fault().get();
        } catch (RuntimeException _) {
            return Optional.of("cannot tell");
        }
    }
}
