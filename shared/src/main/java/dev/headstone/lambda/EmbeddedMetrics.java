package dev.headstone.lambda;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The figures of a function as lines of CloudWatch's embedded metric format, under the names that
 * Prometheus gets elsewhere: what changed since the last line, one line for each set of dimensions.
 * A timer's line holds each single duration, so that CloudWatch makes percentiles of them.
 *
 * <p>What nobody flushes before the environment is frozen for good is lost. Meters may be used by
 * several threads; one flushes.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html">
 *     The format</a>
 */
public final class EmbeddedMetrics extends SimpleMeterRegistry {
    static final String NAMESPACE = "Headstone";

    /** As many as the format allows for one metric in one line. */
    static final int MOST_SAMPLES = 100;

    private static final JsonFactory JSON = new JsonFactory();

    private final Consumer<String> lines;
    private final Map<Meter.Id, Double> flushed = new HashMap<>();

    /**
     * @param lines takes each line, without its end
     */
    public EmbeddedMetrics(Consumer<String> lines) {
        this(lines, Clock.SYSTEM);
    }

    EmbeddedMetrics(Consumer<String> lines, Clock clock) {
        super(SimpleConfig.DEFAULT, clock);
        this.lines = lines;
    }

    @Override
    protected Timer newTimer(
            Meter.Id id, DistributionStatisticConfig distribution, PauseDetector pauses) {
        return new SampledTimer(id, clock, pauses);
    }

    /** A timer that keeps its durations until they are flushed. */
    private static final class SampledTimer extends CumulativeTimer {
        private final double[] seconds = new double[MOST_SAMPLES];
        private int kept;

        SampledTimer(Meter.Id id, Clock clock, PauseDetector pauses) {
            super(
                    id,
                    clock,
                    DistributionStatisticConfig.NONE.merge(DistributionStatisticConfig.DEFAULT),
                    pauses,
                    TimeUnit.SECONDS,
                    false);
        }

        @Override
        protected void recordNonNegative(long amount, TimeUnit unit) {
            super.recordNonNegative(amount, unit);
            synchronized (this) {
                if (kept < MOST_SAMPLES) { // of more than that, the first hundred stand for all
                    seconds[kept++] = unit.toNanos(amount) / 1e9;
                }
            }
        }

        synchronized List<Double> drain() {
            List<Double> drained = Arrays.stream(seconds, 0, kept).boxed().toList();
            kept = 0;
            return drained;
        }
    }

    private record Figure(String name, String unit, List<Double> values) {}

    /** Hands out what changed since the last time. */
    public void flush() {
        Map<List<Tag>, Map<String, Figure>> byDimensions = new LinkedHashMap<>();
        for (Meter meter : getMeters()) {
            Figure figure = figure(meter);
            if (!figure.values.isEmpty()) {
                byDimensions
                        .computeIfAbsent(meter.getId().getTags(), _ -> new LinkedHashMap<>())
                        .put(figure.name, figure);
            }
        }
        byDimensions.forEach((tags, figures) -> lines.accept(line(tags, figures)));
    }

    private Figure figure(Meter meter) {
        return switch (meter) {
            case SampledTimer timer ->
                    new Figure(name(meter, "_seconds"), "Seconds", timer.drain());
            case Counter counter ->
                    new Figure(name(meter, "_total"), "Count", increase(meter, counter.count()));
            case Gauge gauge -> new Figure(name(meter, unitOf(meter)), "None", change(gauge));
            default -> new Figure("", "", List.of()); // nobody here uses other kinds
        };
    }

    private List<Double> increase(Meter meter, double count) {
        Double before = flushed.put(meter.getId(), count);
        double increase = before == null ? count : count - before;
        return increase == 0 ? List.of() : List.of(increase);
    }

    private List<Double> change(Gauge gauge) {
        double value = gauge.value();
        Double before = flushed.put(gauge.getId(), value);
        boolean tells = Double.isFinite(value) && (before == null || before != value);
        return tells ? List.of(value) : List.of();
    }

    private static String unitOf(Meter meter) {
        String unit = meter.getId().getBaseUnit();
        return unit == null ? "" : "_" + unit;
    }

    /** As Prometheus is told: with underscores, and what is counted at the end. */
    private static String name(Meter meter, String suffix) {
        String name = meter.getId().getName().replace('.', '_');
        return name.endsWith(suffix) ? name : name + suffix;
    }

    private String line(List<Tag> tags, Map<String, Figure> figures) {
        StringWriter text = new StringWriter(512);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeObjectFieldStart("_aws");
            json.writeNumberField("Timestamp", clock.wallTime());
            json.writeArrayFieldStart("CloudWatchMetrics");
            json.writeStartObject();
            json.writeStringField("Namespace", NAMESPACE);
            json.writeArrayFieldStart("Dimensions");
            json.writeStartArray();
            for (Tag tag : tags) {
                json.writeString(tag.getKey());
            }
            json.writeEndArray();
            json.writeEndArray();
            json.writeArrayFieldStart("Metrics");
            for (Figure figure : figures.values()) {
                json.writeStartObject();
                json.writeStringField("Name", figure.name);
                json.writeStringField("Unit", figure.unit);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
            for (Tag tag : tags) {
                json.writeStringField(tag.getKey(), tag.getValue());
            }
            for (Figure figure : figures.values()) {
                writeValues(json, figure);
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void writeValues(JsonGenerator json, Figure figure) throws IOException {
        json.writeFieldName(figure.name);
        if (figure.values.size() == 1) {
            json.writeNumber(figure.values.getFirst());
            return;
        }
        json.writeStartArray();
        for (double value : figure.values) {
            json.writeNumber(value);
        }
        json.writeEndArray();
    }
}
