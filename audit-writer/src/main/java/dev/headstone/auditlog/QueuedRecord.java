package dev.headstone.auditlog;

import java.util.Optional;

/**
 * A message of the queue.
 *
 * @param messageId by which a failure is reported; a source that is no queue may leave it out
 * @param group the message group; records of one group are in order
 */
record QueuedRecord(Optional<String> messageId, String group, String body) {}
