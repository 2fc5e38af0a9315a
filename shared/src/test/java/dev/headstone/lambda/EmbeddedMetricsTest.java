package dev.headstone.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EmbeddedMetricsTest {
    private final List<String> lines = new ArrayList<>();
    private final EmbeddedMetrics figures = new EmbeddedMetrics(lines::add);

    @Test
    void sendsWhatWasCountedSinceTheLastTimeUnderItsPrometheusName() {
        Counter counter =
                Counter.builder("headstone.populates").tag("result", "stored").register(figures);
        counter.increment(2);
        figures.flush();
        counter.increment();
        figures.flush();

        assertThat(parsed())
                .extracting(line -> line.get("headstone_populates_total").asDouble())
                .containsExactly(2.0, 1.0);
        assertThat(parsed().getFirst().get("result").asText()).isEqualTo("stored");
        JsonNode directive = parsed().getFirst().at("/_aws/CloudWatchMetrics/0");
        assertThat(directive.get("Namespace").asText()).isEqualTo("Headstone");
        assertThat(directive.get("Dimensions").toString()).isEqualTo("[[\"result\"]]");
        assertThat(directive.get("Metrics").toString())
                .isEqualTo("[{\"Name\":\"headstone_populates_total\",\"Unit\":\"Count\"}]");
        assertThat(parsed().getFirst().at("/_aws/Timestamp").isIntegralNumber()).isTrue();
    }

    @Test
    void saysNothingOfWhatDidNotChange() {
        Counter.builder("headstone.clicks").register(figures);
        Timer.builder("headstone.takedown").register(figures);
        figures.flush();

        assertThat(lines).isEmpty();
    }

    @Test
    void sendsEachDurationOfATimer() {
        Timer timer =
                Timer.builder("headstone.takedown").tag("outcome", "confirmed").register(figures);
        timer.record(Duration.ofMillis(20));
        figures.flush();
        timer.record(Duration.ofMillis(30));
        timer.record(Duration.ofMillis(40));
        figures.flush();

        assertThat(parsed())
                .extracting(line -> line.get("headstone_takedown_seconds").toString())
                .containsExactly("0.02", "[0.03,0.04]");
    }

    @Test
    void keepsNoMoreDurationsThanOneLineMayHave() {
        Timer timer = Timer.builder("headstone.takedown").register(figures);
        for (int i = 0; i < EmbeddedMetrics.MOST_SAMPLES + 5; i++) {
            timer.record(Duration.ofMillis(1));
        }
        figures.flush();

        assertThat(parsed().getFirst().get("headstone_takedown_seconds"))
                .hasSize(EmbeddedMetrics.MOST_SAMPLES);
        assertThat(timer.count()).isEqualTo(EmbeddedMetrics.MOST_SAMPLES + 5);
    }

    @Test
    void sendsAGaugeWhenItChangesAndIsANumber() {
        AtomicInteger trusted = new AtomicInteger(1);
        Gauge.builder("headstone.cache.trusted", trusted, AtomicInteger::get).register(figures);
        Gauge.builder("headstone.audit.lag", () -> Double.NaN)
                .baseUnit("seconds")
                .register(figures);
        figures.flush();
        figures.flush();
        trusted.set(0);
        figures.flush();

        assertThat(parsed())
                .extracting(line -> line.get("headstone_cache_trusted").asDouble())
                .containsExactly(1.0, 0.0);
    }

    @Test
    void putsWhatHasTheSameDimensionsIntoOneLine() {
        Counter.builder("headstone.clicks").register(figures).increment();
        Counter.builder("headstone.redirect.shed").register(figures).increment();
        figures.flush();

        assertThat(parsed())
                .singleElement()
                .satisfies(
                        line -> {
                            assertThat(line.has("headstone_clicks_total")).isTrue();
                            assertThat(line.has("headstone_redirect_shed_total")).isTrue();
                        });
    }

    private List<JsonNode> parsed() {
        ObjectMapper json = new ObjectMapper();
        return lines.stream()
                .map(
                        line -> {
                            try {
                                return json.readTree(line);
                            } catch (JsonProcessingException e) {
                                throw new AssertionError(line, e);
                            }
                        })
                .toList();
    }
}
