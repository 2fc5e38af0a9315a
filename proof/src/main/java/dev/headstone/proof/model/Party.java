package dev.headstone.proof.model;

/** Who an actor is to the protocol. */
public enum Party {
    /** Answers clicks. */
    READER,
    /** Creates, ends and revives links. */
    WRITER,
    /** Repairs what the stream says has changed. */
    CONSUMER,
    /** Goes through what died, after a restart. */
    SWEEP
}
