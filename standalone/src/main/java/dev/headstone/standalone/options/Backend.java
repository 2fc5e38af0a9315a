package dev.headstone.standalone.options;

/** Where the table or the queue is. */
public enum Backend {
    /** In this process, on this machine's disk or in memory. */
    EMBEDDED,
    /** Wherever the AWS SDK's own configuration points. */
    AWS
}
