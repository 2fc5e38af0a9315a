package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AuditMetricsTest {
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AuditMetrics metrics = new AuditMetrics(registry);

    @Test
    void allFiguresAreThereFromTheStart() {
        assertThat(registry.scrape())
                .contains("headstone_audit_events_total{result=\"written\"} 0.0")
                .contains("headstone_audit_events_total{result=\"duplicate\"} 0.0")
                .contains("headstone_audit_events_total{result=\"conflict\"} 0.0")
                .contains("headstone_audit_events_total{result=\"failed\"} 0.0")
                .contains("headstone_audit_events_total{result=\"too_large\"} 0.0")
                .contains("headstone_audit_events_total{result=\"unreadable\"} 0.0")
                .contains("headstone_audit_events_total{result=\"held_back\"} 0.0")
                .contains("headstone_audit_lag_seconds 0.0");
    }

    @Test
    void countsAndMeasures() {
        metrics.count(AuditMetrics.Result.CONFLICT);
        metrics.lag(Duration.ofMillis(1_500));

        assertThat(registry.scrape())
                .contains("headstone_audit_events_total{result=\"conflict\"} 1.0")
                .contains("headstone_audit_lag_seconds 1.5");
    }
}
