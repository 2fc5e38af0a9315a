package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

final class LambdaFunctionTest {
    private final SettableClock clock = new SettableClock();

    @Test
    void aStreamHandlerReadsWhatTheStreamHeld() {
        List<DynamodbEvent> events = new ArrayList<>();
        String event =
                StreamEntry.event(
                        List.of(
                                new StreamRecordJson(FakeStreams.ARN, clock)
                                        .entry(
                                                record(
                                                        Map.of(
                                                                "short_code",
                                                                        AttributeValue.fromS("abc"),
                                                                "raw",
                                                                        AttributeValue.fromB(
                                                                                SdkBytes
                                                                                        .fromByteArray(
                                                                                                new byte
                                                                                                        [] {
                                                                                                    0,
                                                                                                    -1
                                                                                                })))))));

        byte[] response =
                call(
                        DynamodbEvent.class,
                        (DynamodbEvent in, Context _) -> {
                            events.add(in);
                            return new StreamsEventResponse(List.of(new BatchItemFailure("100")));
                        },
                        event);

        DynamodbEvent.DynamodbStreamRecord seen = events.getFirst().getRecords().getFirst();
        assertThat(seen.getEventID()).isEqualTo("e1");
        assertThat(seen.getEventSourceARN()).isEqualTo(FakeStreams.ARN);
        assertThat(seen.getAwsRegion()).isEqualTo("us-east-1");
        assertThat(seen.getDynamodb().getSequenceNumber()).isEqualTo("100");
        assertThat(seen.getDynamodb().getApproximateCreationDateTime())
                .isEqualTo(Date.from(SettableClock.START.minusMillis(250)));
        assertThat(seen.getDynamodb().getNewImage())
                .hasEntrySatisfying("short_code", code -> assertThat(code.getS()).isEqualTo("abc"))
                .hasEntrySatisfying(
                        "raw",
                        raw ->
                                assertThat(raw.getB())
                                        .isEqualTo(ByteBuffer.wrap(new byte[] {0, -1})));
        assertThat(seen.getDynamodb().getOldImage()).isNull();
        assertThat(new String(response, StandardCharsets.UTF_8))
                .isEqualTo("{\"batchItemFailures\":[{\"itemIdentifier\":\"100\"}]}");
    }

    @Test
    void aQueueHandlerReadsWhatTheQueueHeld() {
        List<SQSEvent.SQSMessage> messages = new ArrayList<>();
        Message message =
                Message.builder()
                        .messageId("m1")
                        .receiptHandle("r1")
                        .body("{\"event_id\":\"ü\"}")
                        .md5OfBody("0123")
                        .attributes(Map.of(MessageSystemAttributeName.MESSAGE_GROUP_ID, "abc"))
                        .build();
        String event =
                new String(
                        new QueueEventJson(FakeQueue.ARN).event(List.of(message)),
                        StandardCharsets.UTF_8);

        byte[] response =
                call(
                        SQSEvent.class,
                        (SQSEvent in, Context _) -> {
                            messages.addAll(in.getRecords());
                            return SQSBatchResponse.builder()
                                    .withBatchItemFailures(List.of())
                                    .build();
                        },
                        event);

        SQSEvent.SQSMessage seen = messages.getFirst();
        assertThat(seen.getMessageId()).isEqualTo("m1");
        assertThat(seen.getBody()).isEqualTo("{\"event_id\":\"ü\"}");
        assertThat(seen.getAttributes()).containsExactly(Map.entry("MessageGroupId", "abc"));
        assertThat(seen.getEventSourceArn()).isEqualTo(FakeQueue.ARN);
        assertThat(BatchResponse.read(response)).isEqualTo(new Answer.Accepted());
    }

    @Test
    void theContextCountsTheTimeThatIsLeft() {
        List<Integer> left = new ArrayList<>();
        List<String> said = new ArrayList<>();

        call(
                DynamodbEvent.class,
                (DynamodbEvent _, Context context) -> {
                    left.add(context.getRemainingTimeInMillis());
                    clock.advance(Duration.ofSeconds(20));
                    left.add(context.getRemainingTimeInMillis());
                    clock.advance(Duration.ofSeconds(20));
                    left.add(context.getRemainingTimeInMillis());
                    said.add(context.getFunctionName());
                    said.add(context.getInvokedFunctionArn());
                    said.add(context.getAwsRequestId());
                    context.getLogger().log("hello");
                    return null;
                },
                "{\"Records\":[]}");

        assertThat(left).containsExactly(30_000, 10_000, 0);
        assertThat(said.get(0)).isEqualTo("function");
        assertThat(said.get(1)).endsWith(":function:function");
        assertThat(said.get(2)).hasSize(36);
    }

    @Test
    void aHandlerThatReturnsNothingHasNothingToReport() {
        byte[] response = call(DynamodbEvent.class, (_, _) -> null, "{\"Records\":[]}");

        assertThat(new String(response, StandardCharsets.UTF_8)).isEqualTo("null");
    }

    @Test
    void whatAHandlerThrowsIsThrown() {
        assertThatThrownBy(
                        () ->
                                call(
                                        DynamodbEvent.class,
                                        (_, _) -> {
                                            throw new IllegalStateException("no");
                                        },
                                        "{\"Records\":[]}"))
                .isInstanceOf(IllegalStateException.class);
    }

    private <E, R extends @Nullable Object> byte[] call(
            Class<E> type, RequestHandler<E, R> handler, String event) {
        return LambdaFunction.of("function", handler, type, clock, new Random(5))
                .handle(
                        event.getBytes(StandardCharsets.UTF_8),
                        clock.instant().plus(Duration.ofSeconds(30)));
    }

    private Record record(Map<String, AttributeValue> image) {
        return Record.builder()
                .eventID("e1")
                .eventName("INSERT")
                .dynamodb(
                        StreamRecord.builder()
                                .sequenceNumber("100")
                                .approximateCreationDateTime(clock.instant())
                                .newImage(image)
                                .build())
                .build();
    }
}
