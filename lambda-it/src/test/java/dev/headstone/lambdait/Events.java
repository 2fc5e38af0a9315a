package dev.headstone.lambdait;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** The JSON that AWS sends, as its documentation shows it. */
final class Events {
    static final String OPERATOR =
            "arn:aws:sts::123456789012:assumed-role/headstone-operator/alice";
    private static final ObjectMapper JSON = new ObjectMapper();

    private Events() {}

    /** A click through a function URL. */
    static String click(String method, String path) {
        return http(method, path, Optional.empty(), Optional.empty());
    }

    /** A signed request to an HTTP API. */
    static String signed(String method, String path, String body) {
        return http(method, path, Optional.of(OPERATOR), Optional.of(body));
    }

    static String http(String method, String path, Optional<String> arn, Optional<String> body) {
        ObjectNode event = JSON.createObjectNode();
        event.put("version", "2.0").put("routeKey", "$default").put("rawPath", path);
        event.put("rawQueryString", "utm=x");
        event.putObject("queryStringParameters").put("utm", "x");
        event.putObject("headers")
                .put("host", "x.lambda-url.us-east-1.on.aws")
                .put("user-agent", "Mozilla/5.0")
                .put("content-type", "application/json")
                .put("x-forwarded-for", "203.0.113.7")
                .put("x-amzn-trace-id", "Root=1-65a1b2c3-ffffffffffffffffffffffff");
        ObjectNode context = event.putObject("requestContext");
        context.put("accountId", "123456789012")
                .put("apiId", "x")
                .put("domainName", "x.lambda-url.us-east-1.on.aws")
                .put("domainPrefix", "x")
                .put("requestId", "JKJaXmPLvHcESHA=")
                .put("routeKey", "$default")
                .put("stage", "$default")
                .put("time", "10/Mar/2020:05:16:23 +0000")
                .put("timeEpoch", 1_583_817_383_220L);
        context.putObject("http")
                .put("method", method)
                .put("path", path)
                .put("protocol", "HTTP/1.1")
                .put("sourceIp", "203.0.113.7")
                .put("userAgent", "Mozilla/5.0");
        arn.ifPresent(
                caller ->
                        context.putObject("authorizer")
                                .putObject("iam")
                                .put("accessKey", "ASIA0000000000000000")
                                .put("accountId", "123456789012")
                                .put("callerId", "AROA0000000000000000:alice")
                                .putNull("cognitoIdentity")
                                .putNull("principalOrgId")
                                .put("userArn", caller)
                                .put("userId", "AROA0000000000000000:alice"));
        body.ifPresent(text -> event.put("body", text));
        return event.put("isBase64Encoded", false).toString();
    }

    /** EventBridge's schedule. */
    static String scheduled() {
        return """
               {"version": "0", "id": "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa", "detail-type": "Scheduled Event",
                "source": "aws.events", "account": "123456789012", "time": "2026-10-08T16:53:06Z",
                "region": "us-east-1", "resources": ["arn:aws:events:us-east-1:123456789012:rule/sweep"],
                "detail": {}}""";
    }

    /** Messages as the event source mapping of a FIFO queue hands them over. */
    static String messages(List<Message> messages) {
        ObjectNode event = JSON.createObjectNode();
        ArrayNode records = event.putArray("Records");
        for (Message message : messages) {
            ObjectNode record =
                    records.addObject()
                            .put("messageId", message.messageId())
                            .put("receiptHandle", message.receiptHandle())
                            .put("body", message.body())
                            .put("md5OfBody", message.md5OfBody())
                            .put("eventSource", "aws:sqs")
                            .put(
                                    "eventSourceARN",
                                    "arn:aws:sqs:us-east-1:123456789012:headstone-audit.fifo")
                            .put("awsRegion", "us-east-1");
            ObjectNode attributes = record.putObject("attributes");
            message.attributes().forEach((name, value) -> attributes.put(name.toString(), value));
            record.putObject("messageAttributes");
        }
        return event.toString();
    }

    static Optional<String> traceOf(Message message) {
        return Optional.ofNullable(
                message.attributes().get(MessageSystemAttributeName.AWS_TRACE_HEADER));
    }
}
