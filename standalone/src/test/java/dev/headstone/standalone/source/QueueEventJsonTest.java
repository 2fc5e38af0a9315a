package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

final class QueueEventJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aMessageLooksAsLambdaSendsIt() throws Exception {
        Message message =
                Message.builder()
                        .messageId("m1")
                        .receiptHandle("r1")
                        .body("{\"event_id\": \"e1\"}")
                        .md5OfBody("68b329da9893e34099c7d8ad5cb9c940")
                        .attributes(
                                Map.of(
                                        MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1",
                                        MessageSystemAttributeName.SENT_TIMESTAMP, "1795000000000",
                                        MessageSystemAttributeName.SEQUENCE_NUMBER,
                                                "188700000000001",
                                        MessageSystemAttributeName.MESSAGE_GROUP_ID, "aaa"))
                        .messageAttributes(
                                Map.of(
                                        "kind",
                                        MessageAttributeValue.builder()
                                                .dataType("String")
                                                .stringValue("x")
                                                .build(),
                                        "raw",
                                        MessageAttributeValue.builder()
                                                .dataType("Binary")
                                                .binaryValue(
                                                        SdkBytes.fromByteArray(new byte[] {1, 2}))
                                                .build()))
                        .md5OfMessageAttributes("0123")
                        .build();

        assertThat(JSON.readTree(new QueueEventJson(FakeQueue.ARN).event(List.of(message))))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"Records": [{"messageId": "m1", "receiptHandle": "r1",
                                  "body": "{\\"event_id\\": \\"e1\\"}",
                                  "attributes": {"ApproximateReceiveCount": "1", "SentTimestamp": "1795000000000",
                                    "SequenceNumber": "188700000000001", "MessageGroupId": "aaa"},
                                  "messageAttributes": {
                                    "kind": {"stringValue": "x", "stringListValues": [], "binaryListValues": [],
                                      "dataType": "String"},
                                    "raw": {"binaryValue": "AQI=", "stringListValues": [], "binaryListValues": [],
                                      "dataType": "Binary"}},
                                  "md5OfMessageAttributes": "0123",
                                  "md5OfBody": "68b329da9893e34099c7d8ad5cb9c940", "eventSource": "aws:sqs",
                                  "eventSourceARN": "%s", "awsRegion": "us-east-1"}]}
                                """
                                        .formatted(FakeQueue.ARN)));
    }
}
