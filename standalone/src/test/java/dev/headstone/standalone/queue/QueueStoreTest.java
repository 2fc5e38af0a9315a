package dev.headstone.standalone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.elasticmq.MessageAttribute;
import org.elasticmq.MessageContent;
import org.elasticmq.NeverReceived$;
import org.elasticmq.actor.queue.InternalMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.collection.mutable.ListBuffer;
import scala.jdk.javaapi.CollectionConverters;

final class QueueStoreTest {
    private static final String QUEUE = "audit.fifo";

    @TempDir private Path folder;

    @Test
    void whatWasCommittedIsThereInItsOrderAndWhatWasRemovedIsNot() throws IOException {
        try (QueueStore store = open()) {
            for (String id : List.of("a", "b", "c")) {
                store.add(QUEUE, message(id, "body of " + id));
            }
            store.remove(QUEUE, "b");
            store.received("c", 2);
            store.commit();
        }

        try (QueueStore store = open()) {
            assertThat(ids(store)).containsExactly("a", "c");
            assertThat(store.messages(QUEUE).getLast().receiveCount()).isEqualTo(2);
        }
    }

    @Test
    void aLineThatWasCutOffIsDroppedAndTheNextOneIsWhole() throws IOException {
        try (QueueStore store = open()) {
            store.add(QUEUE, message("a", "first"));
            store.commit();
        }
        Files.writeString(journal(), "message {\"id\":\"b\",\"qu", StandardOpenOption.APPEND);

        try (QueueStore store = open()) {
            assertThat(ids(store)).containsExactly("a");
            store.add(QUEUE, message("c", "third"));
            store.commit();
        }
        try (QueueStore store = open()) {
            assertThat(ids(store)).containsExactly("a", "c");
        }
    }

    @Test
    void theFileStaysSmallHoweverManyMessagesCameAndWent() throws IOException {
        try (QueueStore store = QueueStore.open(journal(), 10_000)) {
            store.add(QUEUE, message("kept", "stays where it is"));
            for (int i = 0; i < 2_000; i++) {
                store.add(QUEUE, message("m" + i, "x".repeat(200)));
                store.remove(QUEUE, "m" + i);
                store.commit();
            }

            assertThat(Files.size(journal())).isLessThan(15_000);
            assertThat(ids(store)).containsExactly("kept");
            assertThat(store.messages(QUEUE).getFirst().content().value())
                    .isEqualTo("stays where it is");
        }
        try (QueueStore store = open()) {
            assertThat(ids(store)).containsExactly("kept");
        }
    }

    @Test
    void aMessageThatWasMovedIsForgottenByItsNewQueueAlone() throws IOException {
        try (QueueStore store = open()) {
            store.add(QUEUE, message("a", "moved"));
            store.add("dead.fifo", message("a", "moved"));
            store.remove(QUEUE, "a");
            store.commit();
        }

        try (QueueStore store = open()) {
            assertThat(ids(store)).isEmpty();
            assertThat(store.messages("dead.fifo")).hasSize(1);
        }
    }

    @Test
    void whatIsNoJournalIsRefusedAndLeftAsItIs() throws IOException {
        Files.writeString(journal(), "headstone-queue 1\nwhat is this\n");

        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("byte 18");
        assertThat(journal()).hasContent("headstone-queue 1\nwhat is this\n");
    }

    private QueueStore open() throws IOException {
        return QueueStore.open(journal());
    }

    private Path journal() {
        return folder.resolve("queue.journal");
    }

    private static List<String> ids(QueueStore store) throws IOException {
        return store.messages(QUEUE).stream().map(InternalMessage::id).toList();
    }

    private static InternalMessage message(String id, String body) {
        return new InternalMessage(
                id,
                ListBuffer.from(CollectionConverters.asScala(List.<String>of())),
                0,
                new MessageContent(body),
                Map$.MODULE$.<String, MessageAttribute>empty(),
                OffsetDateTime.of(2026, 12, 1, 0, 0, 0, 0, ZoneOffset.UTC),
                0,
                NeverReceived$.MODULE$,
                0,
                true,
                Option.apply("group"),
                Option.empty(),
                Option.empty(),
                Option.empty(),
                Option.empty());
    }
}
