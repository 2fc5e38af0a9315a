package dev.headstone.dynamodb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes over the wire, without the SDK in between. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WireProtocolTest {
    private final EmbeddedDynamoDb server =
            EmbeddedDynamoDb.start(
                    Settings.inMemory(InstantSource.fixed(Instant.parse("2026-12-01T00:00:00Z"))));
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    @Test
    void anAnswerIsJsonWithAnIdAndAChecksum() throws Exception {
        HttpResponse<byte[]> answer = post("DynamoDB_20120810.ListTables", "{}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).asString().isEqualTo("{\"TableNames\":[]}");
        assertThat(answer.headers().firstValue("Content-Type"))
                .contains("application/x-amz-json-1.0");
        assertThat(answer.headers().firstValue("x-amzn-RequestId"))
                .hasValueSatisfying(id -> assertThat(id).matches("[0-9A-Z]{52}"));
        CRC32 checksum = new CRC32();
        checksum.update(answer.body());
        assertThat(answer.headers().firstValue("x-amz-crc32"))
                .contains(Long.toString(checksum.getValue()));
        assertThat(
                        post("DynamoDB_20120810.ListTables", "{}")
                                .headers()
                                .firstValue("x-amzn-RequestId"))
                .isNotEqualTo(answer.headers().firstValue("x-amzn-RequestId"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "DynamoDB_20120810.GetItem | {\"TableName\":\"Nowhere\",\"Key\":{\"a\":{\"S\":\"b\"}}} | 400 | {\"__type\":\"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException\",\"message\":\"Requested resource not found\"}",
                "DynamoDB_20120810.RestoreTableToPointInTime | {} | 400 | {\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}",
                "DynamoDB_20111205.GetItem | {} | 400 | {\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}",
                "DynamoDB_20120810.GetItem | { | 400 | {\"__type\":\"com.amazon.coral.service#SerializationException\"}",
                "DynamoDB_20120810.GetItem | [] | 400 | {\"__type\":\"com.amazon.coral.service#SerializationException\"}",
                "DynamoDB_20120810.ListTables | {} {} | 400 | {\"__type\":\"com.amazon.coral.service#SerializationException\"}",
                "DynamoDB_20120810.ListTables | {\"Limit\":1,\"Limit\":2} | 400 | {\"__type\":\"com.amazon.coral.service#SerializationException\"}",
                "DynamoDB_20120810.ListTables | {\"Limit\":\"1\"} | 400 | {\"__type\":\"com.amazon.coral.service#SerializationException\",\"message\":\"STRING_VALUE cannot be converted to Integer\"}",
                "DynamoDB_20120810.ListTables | {\"Limit\":101} | 400 | {\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100\"}",
                "DynamoDB_20120810.ListTables | {\"Unheard\":1} | 400 | {\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"The parameter 'Unheard' is not supported\"}",
                "DynamoDB_20120810.GetItem | {} | 400 | {\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null\"}",
                "DynamoDB_20120810.TransactWriteItems | {\"TransactItems\":[{\"Put\":{\"TableName\":\"abc\",\"Item\":{},\"More\":1}}]} | 400 | {\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"The parameter 'transactItems.1.member.put.More' is not supported\"}"
            })
    void anErrorHasATypeAndAMessage(String target, String body, int status, String expected)
            throws Exception {
        HttpResponse<byte[]> answer = post(target, body);

        assertThat(answer.body()).asString().isEqualTo(expected);
        assertThat(answer.statusCode()).isEqualTo(status);
    }

    @Test
    void aRequestWithoutASignatureIsRefused() throws Exception {
        HttpResponse<byte[]> answer = send(request("DynamoDB_20120810.ListTables", "{}").build());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .asString()
                .isEqualTo(
                        "{\"__type\":\"com.amazon.coral.service#MissingAuthenticationTokenException\",\"message\":\"Request must contain either a valid (registered) AWS access key ID or X.509 certificate.\"}");
    }

    @Test
    void aRequestWithoutATargetIsRefused() throws Exception {
        HttpResponse<byte[]> answer =
                send(
                        HttpRequest.newBuilder(server.endpoint())
                                .timeout(Duration.ofSeconds(10))
                                .header("Authorization", "AWS4-HMAC-SHA256 ...")
                                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                .build());

        assertThat(answer.body())
                .asString()
                .isEqualTo("{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}");
    }

    @Test
    void aBodyOfMoreThan16MBIsRefusedBeforeItIsSent() throws Exception {
        String head =
                """
                POST / HTTP/1.1\r
                Host: 127.0.0.1\r
                X-Amz-Target: DynamoDB_20120810.ListTables\r
                Authorization: AWS4-HMAC-SHA256 ...\r
                Content-Length: 17000000\r
                \r
                """;
        try (Socket socket = new Socket(server.endpoint().getHost(), server.endpoint().getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(head.getBytes(US_ASCII));

            assertThat(new String(socket.getInputStream().readNBytes(12), US_ASCII))
                    .isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void itSaysThatItIsHealthy() throws Exception {
        HttpResponse<byte[]> answer =
                send(
                        HttpRequest.newBuilder(server.endpoint())
                                .timeout(Duration.ofSeconds(10))
                                .build());

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    private HttpResponse<byte[]> post(String target, String body)
            throws IOException, InterruptedException {
        return send(request(target, body).header("Authorization", "AWS4-HMAC-SHA256 ...").build());
    }

    private HttpRequest.Builder request(String target, String body) {
        return HttpRequest.newBuilder(server.endpoint())
                .timeout(Duration.ofSeconds(10))
                .header("X-Amz-Target", target)
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<byte[]> send(HttpRequest request)
            throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }
}
