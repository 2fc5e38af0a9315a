package dev.headstone.auditlog;

import dev.headstone.auditlog.LogEntry.Event;
import java.util.ArrayList;
import java.util.List;

/** Follows one chain from its beginning and recomputes every hash. Not thread-safe. */
final class ChainWalk {
    private final String chain;
    private long seq;
    private String hash = ChainHash.NONE;

    ChainWalk(String chain) {
        this.chain = chain;
    }

    String chain() {
        return chain;
    }

    /** Takes the next event that is there; returns what is wrong with it. */
    List<Fault> step(Event event) {
        List<Fault> faults = new ArrayList<>();
        if (event.seq() != seq + 1) {
            faults.add(new Fault(chain, Fault.Kind.GAP, seq + 1));
        } else if (!event.prevHash().equals(hash)) {
            faults.add(new Fault(chain, Fault.Kind.FORK, event.seq()));
        }
        if (!event.hash().equals(ChainHash.of(event.prevHash(), event.seq(), event.body()))) {
            faults.add(new Fault(chain, Fault.Kind.EDITED, event.seq()));
        }
        seq = event.seq();
        hash = event.hash();
        return faults;
    }
}
