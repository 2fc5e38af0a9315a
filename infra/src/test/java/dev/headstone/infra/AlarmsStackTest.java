package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
final class AlarmsStackTest {
    private final Templates templates = Templates.usual();

    private JsonNode alarm(String name) {
        return templates.only("AWS::CloudWatch::Alarm", name);
    }

    @ParameterizedTest
    @CsvSource({
        "InvalidateFailed, headstone_takedown_seconds, Security",
        "AuditFailed, headstone_takedown_seconds, Security",
        "AsynchronousInvalidation, AsyncEventsReceived, Security",
        "IteratorAge, IteratorAge, Operations",
        "DeadLetters, ApproximateNumberOfMessagesVisible, Operations",
        "Disagreement, headstone_cache_disagreements_total, Operations",
        "StaleServes, headstone_redirect_seconds, Operations",
        "BreakerOpen, headstone_cache_breaker_open, Operations",
        "Evictions, Evictions, Operations",
        "ClockSkew, headstone_clock_skew_seconds, Operations",
        "ComparatorErrors, Errors, Operations",
        "Parked, headstone_stream_records_total, Operations",
        "StreamDroppedEventCount, DroppedEventCount, Operations",
        "StreamOnFailureDestinationDeliveredEventCount, OnFailureDestinationDeliveredEventCount, Operations"
    })
    void eachTellsThoseWhoAnswerForIt(String name, String metric, String topic) {
        assertThat(alarm(name).toString()).contains("\"" + metric + "\"");
        assertThat(alarm(name).path("AlarmActions")).hasSize(1);
        assertThat(alarm(name).at("/AlarmActions/0/Ref").asText()).startsWith(topic);
    }

    @ParameterizedTest
    @CsvSource({"InvalidateFailed", "DeadLetters", "Disagreement", "StaleServes", "Evictions"})
    void oneIsTooMany(String name) {
        assertThat(alarm(name).path("Threshold").asInt(-1)).isZero();
        assertThat(alarm(name).path("ComparisonOperator").asText())
                .isEqualTo("GreaterThanThreshold");
        assertThat(alarm(name).path("EvaluationPeriods").asInt()).isOne();
    }

    @Test
    void aFailedInvalidationIsSeenByItsOutcome() {
        assertThat(alarm("InvalidateFailed").path("Dimensions").toString())
                .contains("outcome", "invalidate_failed");
    }

    @Test
    void deadLettersAreThoseOfTheAuditQueue() {
        assertThat(alarm("DeadLetters").path("Dimensions").toString()).contains("AuditDeadLetters");
    }

    @Test
    void everyNodeOfTheCacheIsAskedForItsEvictions() {
        assertThat(CacheStack.nodes()).hasSize(3);
        for (String node : CacheStack.nodes()) {
            assertThat(alarm("Evictions").toString()).contains(node);
        }
    }

    @Test
    void topicsAreEncryptedAndSoIsTheWayToThem() {
        assertThat(templates.resources("AWS::SNS::Topic").values())
                .hasSize(2)
                .allSatisfy(
                        topic ->
                                assertThat(topic.at("/Properties/KmsMasterKeyId").isMissingNode())
                                        .isFalse());
    }

    @Test
    void aPageShowsAllAlarmsClicksTakedownsAndRepairs() {
        String body = templates.only("AWS::CloudWatch::Dashboard").path("DashboardBody").toString();

        assertThat(body)
                .contains("headstone_redirect_seconds")
                .contains("headstone_takedown_seconds")
                .contains("IteratorAge");
        templates
                .resources("AWS::CloudWatch::Alarm")
                .keySet()
                .forEach(name -> assertThat(body).contains(name));
    }
}
