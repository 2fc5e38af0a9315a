package dev.headstone.proof.campaign;

/** What goes wrong in a campaign. */
public enum Fault {
    /** The record is evicted. */
    EVICTION("record evicted"),
    /** The lease is lost. */
    LEASE_LOST("lease lost"),
    /** Bytes that are no record lie under the key. */
    GARBAGE("garbage under the key"),
    /** Something of another Redis type lies under the key. */
    FOREIGN_TYPE("foreign type under the key"),
    /** The cache does not answer a look-up. */
    LOOK_FAILS("look-up unanswered"),
    /** The lease is not given, or its holder does not hear of it. */
    LEASE_UNHEARD("lease unheard"),
    /** A write to the cache never arrives; its sender does not know. */
    WRITE_LOST("write lost"),
    /** A write is made, and its sender does not know. */
    WRITE_UNHEARD("write unheard"),
    /** A write is reported as timed out, and lands later. */
    WRITE_LATE("write late"),
    /** The table does not answer; nothing was written. */
    TABLE_FAILS("table call failed"),
    /** The table writes, and its answer is lost. */
    TABLE_UNHEARD("table reply lost"),
    /** The queue does not take an event. */
    QUEUE_FAILS("event not accepted"),
    /** The queue takes an event, and its answer is lost. */
    QUEUE_UNHEARD("event acceptance lost"),
    /** An actor dies between two calls. */
    DEATH("actor dies"),
    /** An actor stalls between two calls while others go on. */
    STALL("actor stalls"),
    /** Somebody else acts between two calls. */
    INTRUSION("somebody comes in between"),
    /** A record of the stream is delivered again. */
    REDELIVERY("record delivered again"),
    /** All keys are gone. */
    FLUSH("cache flushed"),
    /** Connections of one process are cut. */
    CONNECTION_KILLED("connections killed"),
    /** Redis holds all clients up for a while. */
    CLIENTS_PAUSED("clients paused"),
    /** The Redis process is stopped for a while. */
    PROCESS_STOPPED("process stopped"),
    /** Redis is killed and comes back empty. */
    RESTART_EMPTY("restart, empty"),
    /** Redis is killed and comes back with an older snapshot. */
    RESTART_OLD("restart, older snapshot");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    /** A few words for tables and stories. */
    public String words() {
        return words;
    }
}
