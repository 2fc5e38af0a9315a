package dev.headstone.writer.aws;

/** What became of a takedown that an operator asked for. */
public sealed interface TakedownOutcome {
    /**
     * None of our caches can answer with the destination any more.
     *
     * @param receipt as JSON
     */
    record Confirmed(String receipt) implements TakedownOutcome {}

    /**
     * It cannot be done, and a retry would not help.
     *
     * @param why a sentence for a person
     */
    record Refused(String why) implements TakedownOutcome {}

    /**
     * It is not known to be done; the same call again goes on from there.
     *
     * @param why a sentence for a person
     */
    record NotConfirmed(String why) implements TakedownOutcome {}

    /**
     * AWS did not let it begin: no credentials, no permission, no network.
     *
     * @param why a sentence for a person
     */
    record Failed(String why) implements TakedownOutcome {}
}
