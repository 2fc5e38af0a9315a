package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Identity;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

final class StreamRecordJsonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SettableClock clock = new SettableClock();
    private final StreamRecordJson records = new StreamRecordJson(FakeStreams.ARN, clock);

    @Test
    void aRecordLooksAsLambdaSendsIt() throws Exception {
        Record record =
                Record.builder()
                        .eventID("e1")
                        .eventName("REMOVE")
                        .eventVersion("1.1")
                        .eventSource("aws:dynamodb")
                        .awsRegion("us-east-1")
                        .userIdentity(
                                Identity.builder()
                                        .type("Service")
                                        .principalId("dynamodb.amazonaws.com")
                                        .build())
                        .dynamodb(
                                StreamRecord.builder()
                                        .approximateCreationDateTime(
                                                Instant.parse("2026-11-18T10:13:20.999Z"))
                                        .keys(Map.of("short_code", AttributeValue.fromS("aaa")))
                                        .oldImage(Map.of("short_code", AttributeValue.fromS("aaa")))
                                        .sequenceNumber("100000000000000000001")
                                        .sizeBytes(120L)
                                        .streamViewType("NEW_AND_OLD_IMAGES")
                                        .build())
                        .build();

        assertThat(JSON.readTree(records.entry(record).json()))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"eventID": "e1", "eventName": "REMOVE", "eventVersion": "1.1",
                                 "eventSource": "aws:dynamodb", "awsRegion": "us-east-1",
                                 "dynamodb": {"ApproximateCreationDateTime": 1794996800,
                                   "Keys": {"short_code": {"S": "aaa"}},
                                   "OldImage": {"short_code": {"S": "aaa"}},
                                   "SequenceNumber": "100000000000000000001", "SizeBytes": 120,
                                   "StreamViewType": "NEW_AND_OLD_IMAGES"},
                                 "eventSourceARN": "%s",
                                 "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"}}
                                """
                                        .formatted(FakeStreams.ARN)));
    }

    @Test
    void everyTypeOfAttributeIsWritten() throws Exception {
        SdkBytes bytes = SdkBytes.fromByteArray(new byte[] {0, 1, (byte) 0xfe});

        assertThat(image(AttributeValue.fromS("\u2028\"\u0000ü")))
                .isEqualTo(tree("{\"S\":\"\\u2028\\\"\\u0000ü\"}"));
        assertThat(image(AttributeValue.fromN("1E+2"))).isEqualTo(tree("{\"N\":\"1E+2\"}"));
        assertThat(image(AttributeValue.fromB(bytes))).isEqualTo(tree("{\"B\":\"AAH+\"}"));
        assertThat(image(AttributeValue.fromBool(false))).isEqualTo(tree("{\"BOOL\":false}"));
        assertThat(image(AttributeValue.fromNul(true))).isEqualTo(tree("{\"NULL\":true}"));
        assertThat(image(AttributeValue.fromSs(List.of("a", "b"))))
                .isEqualTo(tree("{\"SS\":[\"a\",\"b\"]}"));
        assertThat(image(AttributeValue.fromNs(List.of("1")))).isEqualTo(tree("{\"NS\":[\"1\"]}"));
        assertThat(image(AttributeValue.fromBs(List.of(bytes))))
                .isEqualTo(tree("{\"BS\":[\"AAH+\"]}"));
        assertThat(
                        image(
                                AttributeValue.fromL(
                                        List.of(
                                                AttributeValue.fromS("a"),
                                                AttributeValue.fromL(List.of())))))
                .isEqualTo(tree("{\"L\":[{\"S\":\"a\"},{\"L\":[]}]}"));
        assertThat(image(AttributeValue.fromM(Map.of("k", AttributeValue.fromN("1")))))
                .isEqualTo(tree("{\"M\":{\"k\":{\"N\":\"1\"}}}"));
    }

    @Test
    void anAttributeOfATypeUnknownHereIsAnEmptyObject() throws Exception {
        assertThat(image(AttributeValue.builder().build())).isEqualTo(tree("{}"));
    }

    @Test
    void whatARecordLacksIsAbsent() throws Exception {
        JsonNode json =
                tree(
                        records.entry(
                                        Record.builder()
                                                .dynamodb(
                                                        StreamRecord.builder()
                                                                .sequenceNumber("1")
                                                                .build())
                                                .build())
                                .json());

        assertThat(json.path("dynamodb").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("ApproximateCreationDateTime", "SequenceNumber");
        assertThat(json.has("userIdentity")).isFalse();
        assertThat(json.at("/dynamodb/ApproximateCreationDateTime").asLong())
                .isEqualTo(clock.instant().getEpochSecond());
    }

    private JsonNode image(AttributeValue value) throws Exception {
        Record record =
                Record.builder()
                        .eventID("e1")
                        .eventName("INSERT")
                        .dynamodb(
                                StreamRecord.builder()
                                        .sequenceNumber("1")
                                        .newImage(Map.of("a", value))
                                        .build())
                        .build();
        return tree(records.entry(record).json()).at("/dynamodb/NewImage/a");
    }

    private static JsonNode tree(String json) throws Exception {
        return JSON.readTree(json);
    }
}
