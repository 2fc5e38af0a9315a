package dev.headstone.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} at any moment loses nothing that was reported. */
@Tag("slow")
final class KillTest {
    private static final int ROUNDS = 3;
    private static final int DESKS = 4;

    @TempDir private Path folder;

    @Test
    void whatWasReportedIsThereAfterAKill() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<String, String> reported = new ConcurrentHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            ServeProcess serve = ServeProcess.start(folder.resolve("data"));
            try (ExecutorService desks = Executors.newFixedThreadPool(DESKS)) {
                for (int desk = 0; desk < DESKS; desk++) {
                    String name = "r" + round + "d" + desk + "n";
                    desks.execute(() -> work(serve, name, reported));
                }
                TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(2_000));
                serve.kill();
                desks.shutdownNow();
            }
            serve.close();
        }

        assertThat(reported).isNotEmpty();
        try (ServeProcess serve = ServeProcess.start(folder.resolve("data"))) {
            reported.forEach((code, state) -> assertReported(serve, code, state));
            assertThat(serve.verify().get("ok").asBoolean()).as(serve.verify().toString()).isTrue();
        }
    }

    /** Creates links and takes every second one down, until the process is gone. */
    private static void work(ServeProcess serve, String name, Map<String, String> reported) {
        try {
            for (int number = 0; ; number++) {
                String code = name + number;
                serve.create(code, "https://example.com/" + code);
                reported.put(code, "active");
                if (number % 2 == 0) {
                    reported.remove(code); // what is in flight is either
                    HttpResponse<String> receipt = serve.takeDown(code);
                    if (receipt.statusCode() == 200) {
                        reported.put(code, "taken_down");
                    }
                }
            }
        } catch (UncheckedIOException | IllegalStateException e) {
            return; // killed
        }
    }

    private static void assertReported(ServeProcess serve, String code, String state) {
        assertThat(serve.click("/" + code).statusCode())
                .as(code)
                .isEqualTo(state.equals("active") ? 302 : 404);
        Awaitility.await("the events of " + code)
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(types(serve, code)).isEqualTo(wanted(state)));
    }

    private static List<String> types(ServeProcess serve, String code) {
        return serve.audit(code).stream().map(KillTest::summary).sorted().toList();
    }

    private static String summary(JsonNode event) {
        return event.get("type").asText() + " " + event.get("outcome").asText();
    }

    private static List<String> wanted(String state) {
        return state.equals("active")
                ? List.of("link.created committed")
                : List.of(
                        "link.created committed",
                        "link.taken_down committed",
                        "link.taken_down success");
    }
}
