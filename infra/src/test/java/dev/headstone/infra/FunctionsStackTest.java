package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
final class FunctionsStackTest {
    private final Templates templates = Templates.usual();

    private JsonNode function(FunctionKind kind) {
        return templates.only("AWS::Lambda::Function", kind.id());
    }

    @Test
    void thereAreTheEightFunctionsAndTheRotation() {
        Map<String, String> handlers = new TreeMap<>();
        templates
                .resources("AWS::Lambda::Function")
                .forEach(
                        (name, function) ->
                                handlers.put(
                                        function.at("/Properties/Handler").asText(),
                                        function.at("/Properties/Runtime").asText()));

        assertThat(handlers)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "dev.headstone.redirect.RedirectLambda", "java25",
                                "dev.headstone.writer.LinkApiLambda", "java25",
                                "dev.headstone.writer.TakedownLambda", "java25",
                                "dev.headstone.writer.InvalidationLambda", "java25",
                                "dev.headstone.stream.StreamLambda", "java25",
                                "dev.headstone.stream.SweepLambda", "java25",
                                "dev.headstone.stream.ComparatorLambda", "java25",
                                "dev.headstone.auditlog.AuditHandler", "java25",
                                "index.handler", "nodejs24.x"));
    }

    @ParameterizedTest
    @EnumSource(FunctionKind.class)
    void eachStartsFromASnapshotOfAPublishedVersionThatAnAliasPointsTo(FunctionKind kind) {
        assertThat(function(kind).at("/SnapStart/ApplyOn").asText()).isEqualTo("PublishedVersions");
        JsonNode alias = templates.only("AWS::Lambda::Alias", kind.id() + "Alias");
        assertThat(alias.path("Name").asText()).isEqualTo("live");
        assertThat(alias.at("/FunctionVersion/Fn::GetAtt/0").asText())
                .startsWith(kind.id() + "CurrentVersion");
    }

    @ParameterizedTest
    @EnumSource(FunctionKind.class)
    void eachIsTracedAndLogsJsonIntoALogOfItsOwn(FunctionKind kind) {
        assertThat(function(kind).at("/TracingConfig/Mode").asText()).isEqualTo("Active");
        assertThat(function(kind).at("/LoggingConfig/LogFormat").asText()).isEqualTo("JSON");
        assertThat(function(kind).at("/LoggingConfig/LogGroup").toString())
                .contains(kind.id() + "Logs");
    }

    @ParameterizedTest
    @CsvSource({
        "TAKEDOWN, a flood of creates cannot starve it",
        "INVALIDATION, somebody waits for it",
        "STREAM, it is the backstop",
        "SWEEP, a second one would only repeat it",
        "COMPARATOR, what watches must not be the first to go",
        "AUDIT, nothing may be lost"
    })
    void whatMustNotStarveHasEnvironmentsOfItsOwn(FunctionKind kind, String why) {
        assertThat(function(kind).path("ReservedConcurrentExecutions").asInt())
                .as(why)
                .isPositive()
                .isEqualTo(kind.reserved().orElseThrow());
    }

    @Test
    void theSweepRunsAlone() {
        assertThat(function(FunctionKind.SWEEP).path("ReservedConcurrentExecutions").asInt())
                .isOne();
    }

    @Test
    void theSweepComesEveryFiveMinutesAndIsNotRepeatedBetween() {
        JsonNode rule = templates.only("AWS::Events::Rule");

        assertThat(rule.path("ScheduleExpression").asText()).isEqualTo("rate(5 minutes)");
        assertThat(rule.at("/Targets/0/Arn").toString()).contains("SweepAlias");
        assertThat(rule.at("/Targets/0/RetryPolicy/MaximumRetryAttempts").asInt(-1)).isZero();
    }

    @Test
    void theSweepEndsBeforeItsFunctionIsStopped() {
        int budget =
                function(FunctionKind.SWEEP)
                        .at("/Environment/Variables/HEADSTONE_SWEEP_SECONDS")
                        .asInt();

        assertThat(budget).isPositive();
        assertThat((long) budget).isLessThan(FunctionKind.SWEEP.timeout().toSeconds());
    }

    private JsonNode source(String name) {
        return templates.only("AWS::Lambda::EventSourceMapping", name);
    }

    @Test
    void theStreamReportsWhatFailedBisectsAndGivesUpWithinBounds() {
        JsonNode stream = source("StreamSource");

        assertThat(stream.path("FunctionResponseTypes").toString())
                .isEqualTo("[\"ReportBatchItemFailures\"]");
        assertThat(stream.path("BisectBatchOnFunctionError").asBoolean()).isTrue();
        assertThat(stream.path("MaximumRetryAttempts").asInt()).isBetween(1, 10_000);
        assertThat(stream.path("MaximumRecordAgeInSeconds").asInt())
                .as("a stream keeps its records for a day")
                .isBetween(3_600, 24 * 3_600 - 1);
        assertThat(stream.path("StartingPosition").asText()).isEqualTo("TRIM_HORIZON");
        assertThat(stream.path("FunctionName").toString()).contains("StreamAlias");
    }

    @Test
    void whatTheStreamGivesUpGoesWithItsRecordsIntoABucket() {
        assertThat(source("StreamSource").at("/DestinationConfig/OnFailure/Destination").toString())
                .contains("FailedRecords");
        assertThat(
                        templates
                                .only("AWS::S3::Bucket", "FailedRecords")
                                .path("BucketEncryption")
                                .toString())
                .contains("AES256");
    }

    @Test
    void nothingIsFilteredOutOfTheStreamOrTheQueues() {
        assertThat(templates.resources("AWS::Lambda::EventSourceMapping").values())
                .hasSize(3)
                .allSatisfy(
                        source ->
                                assertThat(source.path("Properties").has("FilterCriteria"))
                                        .isFalse());
    }

    @Test
    void theQueueReportsWhatFailedAndKeepsWithinItsReservation() {
        JsonNode queue = source("QueueSource");

        assertThat(queue.path("FunctionResponseTypes").toString())
                .isEqualTo("[\"ReportBatchItemFailures\"]");
        assertThat(queue.path("EventSourceArn").toString()).contains("AuditQueue");
        assertThat(queue.at("/ScalingConfig/MaximumConcurrency").asInt())
                .isEqualTo(FunctionKind.AUDIT.reserved().orElseThrow());
        assertThat(queue.path("FunctionName").toString()).contains("AuditAlias");
    }

    @Test
    void comparisonsAreReadFromTheirQueue() {
        JsonNode comparisons = source("ComparisonsSource");

        assertThat(comparisons.path("EventSourceArn").toString()).contains("Comparisons");
        assertThat(comparisons.path("FunctionName").toString()).contains("ComparatorAlias");
        assertThat(comparisons.path("FunctionResponseTypes").toString())
                .isEqualTo("[\"ReportBatchItemFailures\"]");
    }

    @Test
    void everyUrlAsksWhoCalls() {
        assertThat(templates.resources("AWS::Lambda::Url").values())
                .hasSize(3)
                .allSatisfy(
                        url ->
                                assertThat(url.at("/Properties/AuthType").asText())
                                        .isEqualTo("AWS_IAM"));
    }

    @Test
    void functionsOfTheCacheLiveInItsNetworkAndTheAuditWriterInNone() {
        assertThat(templates.functionsOfTheCache().values())
                .allSatisfy(
                        function ->
                                assertThat(function.at("/Properties/VpcConfig/SubnetIds"))
                                        .isNotEmpty());
        assertThat(function(FunctionKind.AUDIT).has("VpcConfig")).isFalse();
    }

    @Test
    void whoWritesLinksKnowsWhatShortUrlsBeginWith() {
        for (FunctionKind kind :
                List.of(FunctionKind.LINK_API, FunctionKind.TAKEDOWN, FunctionKind.INVALIDATION)) {
            assertThat(function(kind).at("/Environment/Variables/HEADSTONE_BASE_URL").toString())
                    .contains("https://");
        }
    }
}
