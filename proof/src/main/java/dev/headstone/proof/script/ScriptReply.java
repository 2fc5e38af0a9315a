package dev.headstone.proof.script;

/**
 * What the script answered.
 *
 * @param verdict its first word
 * @param stamp what the key holds now, empty if nothing or if it was refused
 */
public record ScriptReply(String verdict, String stamp) {
    /** Whether the lease was not ours. */
    public boolean refused() {
        return verdict.equals("refused");
    }
}
