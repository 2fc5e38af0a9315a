package dev.headstone.proof.model;

import java.util.List;

/** What an actor does: shipped code from its beginning to its end, over scripted ports. */
@FunctionalInterface
interface Program {
    /** Runs until it ends or its history does; what is reported on the way goes into the list. */
    void run(Ports ports, List<Report> reports);
}
