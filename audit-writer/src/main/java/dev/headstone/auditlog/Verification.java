package dev.headstone.auditlog;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What a verification found.
 *
 * @param links chains seen
 * @param events events seen
 * @param faults the first {@value LogVerifier#MOST_FAULTS} faults, in the order of their discovery
 */
public record Verification(long links, long events, List<Fault> faults) {
    /** Copies the list. */
    public Verification {
        faults = List.copyOf(faults);
    }

    /** Whether the log is as it was written. */
    public boolean ok() {
        return faults.isEmpty();
    }

    /** {@code {"ok", "links", "events", "faults": [{"code", "kind", "seq"}]}}. */
    public String toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("ok", ok());
        json.put("links", links);
        json.put("events", events);
        var list = json.putArray("faults");
        for (Fault fault : faults) {
            list.addObject()
                    .put("code", fault.code())
                    .put("kind", fault.kind().wireName())
                    .put("seq", fault.seq());
        }
        return json.toString();
    }
}
