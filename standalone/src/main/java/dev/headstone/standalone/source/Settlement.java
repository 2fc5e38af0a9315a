package dev.headstone.standalone.source;

import dev.headstone.standalone.source.Answer.Accepted;
import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.ItemsFailed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * What is to be done with the messages of a batch once the handler has answered.
 *
 * <p>AWS asks a handler of a FIFO queue to stop at the first failure and to report all that it left
 * undone. A later message of a group with a failed one is kept back here even when the handler does
 * not report it: deleted, it could never be handled in its turn.
 *
 * @param done to be deleted
 * @param again to be seen again
 */
record Settlement(List<Message> done, List<Message> again) {
    static Settlement of(List<Message> batch, Answer answer) {
        return switch (answer) {
            case Accepted _ -> new Settlement(batch, List.of());
            case Failed _ -> new Settlement(List.of(), batch);
            case ItemsFailed(Set<String> identifiers) -> split(batch, identifiers);
        };
    }

    private static Settlement split(List<Message> batch, Set<String> failed) {
        if (!messageIds(batch).containsAll(failed)) {
            // An id that is not in the batch: AWS fails the batch as a whole.
            return new Settlement(List.of(), batch);
        }
        List<Message> done = new ArrayList<>();
        List<Message> again = new ArrayList<>();
        Set<String> heldGroups = new HashSet<>();
        for (Message message : batch) {
            if (failed.contains(message.messageId()) || heldGroups.contains(group(message))) {
                heldGroups.add(group(message));
                again.add(message);
            } else {
                done.add(message);
            }
        }
        return new Settlement(done, again);
    }

    private static Set<String> messageIds(List<Message> batch) {
        return batch.stream().map(Message::messageId).collect(Collectors.toSet());
    }

    /** A message of a standard queue stands for itself. */
    static String group(Message message) {
        return Objects.requireNonNullElse(
                message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID),
                "message " + message.messageId());
    }
}
