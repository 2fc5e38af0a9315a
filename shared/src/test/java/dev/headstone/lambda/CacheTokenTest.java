package dev.headstone.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.net.httpserver.HttpServer;
import io.lettuce.core.RedisCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CacheTokenTest {
    private final AtomicReference<String> asked = new AtomicReference<>("");
    private HttpServer store;
    private int status = 200;
    private String answer =
            "{\"Parameter\":{\"Name\":\"/headstone/token\",\"Value\":\"a-secret\"}}";

    @BeforeEach
    void start() throws IOException {
        System.setProperty("aws.accessKeyId", "headstone");
        System.setProperty("aws.secretAccessKey", "headstone");
        System.setProperty("aws.region", "us-east-1");
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.createContext(
                "/",
                exchange -> {
                    asked.set(
                            "%s %s %s"
                                    .formatted(
                                            exchange.getRequestHeaders().getFirst("X-Amz-Target"),
                                            exchange.getRequestHeaders().getFirst("Authorization"),
                                            new String(
                                                    exchange.getRequestBody().readAllBytes(),
                                                    UTF_8)));
                    byte[] body = answer.getBytes(UTF_8);
                    exchange.sendResponseHeaders(status, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        store.start();
    }

    @AfterEach
    void stop() {
        store.stop(0);
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
        System.clearProperty("aws.region");
    }

    private EncryptedParameter parameter() {
        return new EncryptedParameter(
                "/headstone/token",
                Optional.of(URI.create("http://127.0.0.1:" + store.getAddress().getPort() + "/")));
    }

    @Test
    void isTheDecryptedValueOfTheParameter() {
        RedisCredentials credentials = new CacheToken(parameter(), Optional.of("ann")).get();

        assertThat(new String(credentials.getPassword())).isEqualTo("a-secret");
        assertThat(credentials.getUsername()).isEqualTo("ann");
        assertThat(asked.get())
                .startsWith("AmazonSSM.GetParameter AWS4-HMAC-SHA256 Credential=headstone/")
                .contains("/us-east-1/ssm/aws4_request")
                .endsWith("{\"Name\":\"/headstone/token\",\"WithDecryption\":true}");
    }

    @Test
    void belongsToNobodyWhereTheAddressNamesNoUser() {
        assertThat(new CacheToken(parameter(), Optional.empty()).get().hasUsername()).isFalse();
    }

    @Test
    void namesTheParameterThatCannotBeReadAndWhy() {
        status = 400;
        answer = "{\"__type\":\"ParameterNotFound\",\"message\":\"who asks?\"}";

        assertThatIllegalStateException()
                .isThrownBy(() -> new CacheToken(parameter(), Optional.empty()))
                .withMessage("parameter /headstone/token cannot be read: 400 ParameterNotFound");
    }
}
