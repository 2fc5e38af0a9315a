package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.RealRedis;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Table, queue and cache of somebody else, reached by nothing but the three protocols. */
@Tag("slow")
final class OtherImplementationsTest {
    @TempDir private Path folder;

    @Test
    void servesOverTheEndpointsOfAnother() {
        try (ServeProcess other = ServeProcess.start(folder.resolve("other"), "--in-memory");
                RealRedis redis = RealRedis.start();
                ServeProcess serve =
                        ServeProcess.start(
                                folder.resolve("serve"),
                                environment(other),
                                "--table",
                                "aws",
                                "--queue",
                                "aws",
                                "--redis",
                                "redis://127.0.0.1:" + redis.port(),
                                "--create-resources")) {
            serve.create("abroad", "https://example.com/");
            assertThat(serve.click("/abroad").statusCode()).isEqualTo(302);
            assertThat(serve.takeDown("abroad").statusCode()).isEqualTo(200);
            assertThat(serve.click("/abroad").statusCode()).isEqualTo(404);
            serve.assertSound("abroad");
            assertThat(other.click("/nobody").statusCode()).isEqualTo(404);
        }
    }

    /** Names of its own, since the other one's consumers work on the usual ones. */
    private static Map<String, String> environment(ServeProcess other) {
        Map<String, String> environment = new HashMap<>();
        environment.put("AWS_REGION", "us-east-1");
        environment.put("AWS_ACCESS_KEY_ID", "headstone");
        environment.put("AWS_SECRET_ACCESS_KEY", "headstone");
        environment.put("AWS_ENDPOINT_URL_DYNAMODB", other.table().toString());
        environment.put("AWS_ENDPOINT_URL_DYNAMODB_STREAMS", other.table().toString());
        environment.put("AWS_ENDPOINT_URL_SQS", other.queue().toString());
        environment.put("HEADSTONE_LINKS_TABLE", "OtherLinks");
        environment.put("HEADSTONE_AUDIT_TABLE", "OtherAudit");
        environment.put("HEADSTONE_AUDIT_QUEUE", "other-audit.fifo");
        return environment;
    }
}
