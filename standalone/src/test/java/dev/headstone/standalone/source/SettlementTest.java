package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.source.Answer.Accepted;
import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.ItemsFailed;
import dev.headstone.standalone.source.Answer.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

final class SettlementTest {
    private static final Message A1 = message("a1", "a");
    private static final Message A2 = message("a2", "a");
    private static final Message A3 = message("a3", "a");
    private static final Message B1 = message("b1", "b");
    private static final List<Message> BATCH = List.of(A1, B1, A2, A3);

    @Test
    void anAcceptedBatchIsDone() {
        assertThat(Settlement.of(BATCH, new Accepted()))
                .isEqualTo(new Settlement(BATCH, List.of()));
    }

    @Test
    void ofAFailedBatchNothingIsDone() {
        assertThat(Settlement.of(BATCH, new Failed(Kind.THREW, "IllegalStateException")))
                .isEqualTo(new Settlement(List.of(), BATCH));
    }

    @Test
    void whatIsReportedComesAgainAndOtherGroupsAreDone() {
        assertThat(Settlement.of(BATCH, new ItemsFailed(Set.of("a2", "a3"))))
                .isEqualTo(new Settlement(List.of(A1, B1), List.of(A2, A3)));
    }

    @Test
    void laterMessagesOfAFailedGroupAreKeptEvenWhenTheyAreNotReported() {
        assertThat(Settlement.of(BATCH, new ItemsFailed(Set.of("a1"))))
                .isEqualTo(new Settlement(List.of(B1), List.of(A1, A2, A3)));
    }

    @Test
    void anIdThatIsNotOfTheBatchFailsTheBatch() {
        assertThat(Settlement.of(BATCH, new ItemsFailed(Set.of("a3", "c1"))))
                .isEqualTo(new Settlement(List.of(), BATCH));
    }

    @Test
    void messagesWithoutAGroupStandForThemselves() {
        Message first = Message.builder().messageId("1").build();
        Message second = Message.builder().messageId("2").build();

        assertThat(Settlement.of(List.of(first, second), new ItemsFailed(Set.of("1"))))
                .isEqualTo(new Settlement(List.of(second), List.of(first)));
    }

    private static Message message(String id, String group) {
        return Message.builder()
                .messageId(id)
                .attributes(Map.of(MessageSystemAttributeName.MESSAGE_GROUP_ID, group))
                .build();
    }
}
