package dev.headstone.infra;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.AlarmWidget;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.Dashboard;
import software.amazon.awscdk.services.cloudwatch.GraphWidget;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.IWidget;
import software.amazon.awscdk.services.cloudwatch.MathExpression;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.cloudwatch.actions.SnsAction;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.sns.Topic;
import software.constructs.Construct;

/**
 * What wakes somebody, and a page on which to look. A takedown that could not be confirmed goes to
 * those who answer for security; all else to those who keep it running.
 */
final class AlarmsStack extends Stack {
    private static final Duration MINUTE = Duration.minutes(1);

    private final Topic security;
    private final Topic operations;
    private final List<Alarm> alarms = new ArrayList<>();

    AlarmsStack(
            Construct scope,
            String id,
            DataStack data,
            RedirectStack redirect,
            FunctionsStack all) {
        super(scope, id);
        Key key = key();
        security = topic("Security", key);
        operations = topic("Operations", key);
        takedowns();
        backstop(all);
        queue(data, all);
        answers();
        cache();
        functions(redirect, all);
        dashboard(all);
    }

    private Key key() {
        Key key =
                Key.Builder.create(this, "Key")
                        .description("Messages of alarms")
                        .enableKeyRotation(true)
                        .build();
        key.addToResourcePolicy(
                PolicyStatement.Builder.create()
                        .principals(List.of(new ServicePrincipal("cloudwatch.amazonaws.com")))
                        .actions(List.of("kms:Decrypt", "kms:GenerateDataKey"))
                        .resources(List.of("*"))
                        .build());
        return key;
    }

    private Topic topic(String id, Key key) {
        return Topic.Builder.create(this, id).masterKey(key).enforceSsl(true).build();
    }

    private void takedowns() {
        for (String outcome : List.of("invalidate_failed", "audit_failed")) {
            alarm(
                    outcome.equals("invalidate_failed") ? "InvalidateFailed" : "AuditFailed",
                    "A takedown was not confirmed (" + outcome + "): somebody must try again.",
                    ours("headstone_takedown_seconds", "SampleCount", Map.of("outcome", outcome)),
                    ComparisonOperator.GREATER_THAN_THRESHOLD,
                    0,
                    security);
        }
    }

    private void backstop(FunctionsStack all) {
        HeadstoneFunction stream = all.function(FunctionKind.STREAM);
        alarm(
                "IteratorAge",
                "The backstop is more than a minute behind: repairs are late.",
                stream.alias()
                        .metric(
                                "IteratorAge",
                                software.amazon.awscdk.services.cloudwatch.MetricOptions.builder()
                                        .statistic("Maximum")
                                        .period(MINUTE)
                                        .build()),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                60_000,
                operations);
        for (String count :
                List.of("OnFailureDestinationDeliveredEventCount", "DroppedEventCount")) {
            alarm(
                    "Stream" + count,
                    "Records of the stream were given up: replay them from the bucket.",
                    aws(
                            "AWS/Lambda",
                            count,
                            "Sum",
                            Map.of("EventSourceMappingUUID", all.streamSource().getRef())),
                    ComparisonOperator.GREATER_THAN_THRESHOLD,
                    0,
                    operations);
        }
        alarm(
                "Parked",
                "A record of the stream could not be read by anybody, and was parked.",
                ours("headstone_stream_records_total", "Sum", Map.of("result", "parked")),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                0,
                operations);
        alarm(
                "Disagreement",
                "The cache did not agree with the table; it was settled, and says why in the log.",
                disagreements(),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                0,
                operations);
    }

    private static IMetric disagreements() {
        Map<String, IMetric> kinds = new LinkedHashMap<>();
        for (String kind : List.of("dead_served", "live_hidden", "outdated")) {
            kinds.put(
                    kind, ours("headstone_cache_disagreements_total", "Sum", Map.of("kind", kind)));
        }
        return sum(kinds, "Disagreements");
    }

    private static IMetric sum(Map<String, IMetric> parts, String label) {
        List<String> filled = parts.keySet().stream().map("FILL(%s, 0)"::formatted).toList();
        return MathExpression.Builder.create()
                .expression(String.join(" + ", filled))
                .usingMetrics(parts)
                .label(label)
                .period(MINUTE)
                .build();
    }

    private void queue(DataStack data, FunctionsStack all) {
        alarm(
                "DeadLetters",
                "Audit events could not be recorded five times: replay them.",
                data.auditDeadLetters()
                        .metricApproximateNumberOfMessagesVisible(
                                software.amazon.awscdk.services.cloudwatch.MetricOptions.builder()
                                        .statistic("Maximum")
                                        .period(MINUTE)
                                        .build()),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                0,
                operations);
        alarm(
                "AuditLag",
                "Audit events wait for more than five minutes.",
                data.auditQueue()
                        .metricApproximateAgeOfOldestMessage(
                                software.amazon.awscdk.services.cloudwatch.MetricOptions.builder()
                                        .statistic("Maximum")
                                        .period(MINUTE)
                                        .build()),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                300,
                operations);
        alarm(
                "AsynchronousInvalidation",
                "Somebody invalidates without waiting for the answer.",
                aws(
                        "AWS/Lambda",
                        "AsyncEventsReceived",
                        "Sum",
                        Map.of(
                                "FunctionName",
                                all.function(FunctionKind.INVALIDATION)
                                        .function()
                                        .getFunctionName())),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                0,
                security);
    }

    private void answers() {
        alarm(
                "StaleServes",
                "Clicks were answered from stale records, since the table failed.",
                ours(
                        "headstone_redirect_seconds",
                        "SampleCount",
                        Map.of("outcome", "redirect", "cache", "stale_served")),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                0,
                operations);
        alarm(
                "BreakerOpen",
                "The cache is not asked: every click asks the table.",
                ours("headstone_cache_breaker_open", "Maximum", Map.of()),
                ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
                1,
                operations);
        alarm(
                "ClockSkew",
                "A clock is more than a second off the cache's.",
                ours("headstone_clock_skew_seconds", "Maximum", Map.of()),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                1,
                operations);
    }

    private void cache() {
        Map<String, IMetric> nodes = new LinkedHashMap<>();
        for (String node : CacheStack.nodes()) {
            nodes.put(
                    "n" + nodes.size(),
                    aws("AWS/ElastiCache", "Evictions", "Sum", Map.of("CacheClusterId", node)));
        }
        alarm(
                "Evictions",
                "The cache is too small: it drops records, and tombstones before live ones.",
                sum(nodes, "Evictions"),
                ComparisonOperator.GREATER_THAN_THRESHOLD,
                0,
                operations);
    }

    private void functions(RedirectStack redirect, FunctionsStack all) {
        List<HeadstoneFunction> watched =
                List.of(
                        redirect.redirect(),
                        all.function(FunctionKind.TAKEDOWN),
                        all.function(FunctionKind.INVALIDATION),
                        all.function(FunctionKind.SWEEP),
                        all.function(FunctionKind.COMPARATOR));
        for (HeadstoneFunction function : watched) {
            for (String fault : List.of("Errors", "Throttles")) {
                alarm(
                        function.kind().id() + fault,
                        "The function fails, or was refused an environment to run in.",
                        function.alias()
                                .metric(
                                        fault,
                                        software.amazon.awscdk.services.cloudwatch.MetricOptions
                                                .builder()
                                                .statistic("Sum")
                                                .period(MINUTE)
                                                .build()),
                        ComparisonOperator.GREATER_THAN_THRESHOLD,
                        0,
                        operations);
            }
        }
    }

    private void alarm(
            String id,
            String description,
            IMetric metric,
            ComparisonOperator comparison,
            Number threshold,
            Topic topic) {
        Alarm alarm =
                Alarm.Builder.create(this, id)
                        .alarmDescription(description)
                        .metric(metric)
                        .comparisonOperator(comparison)
                        .threshold(threshold)
                        .evaluationPeriods(1)
                        .datapointsToAlarm(1)
                        .treatMissingData(TreatMissingData.NOT_BREACHING)
                        .build();
        alarm.addAlarmAction(new SnsAction(topic));
        alarms.add(alarm);
    }

    private static Metric ours(String name, String statistic, Map<String, String> dimensions) {
        return aws(Names.METRICS, name, statistic, dimensions);
    }

    private static Metric aws(
            String namespace, String name, String statistic, Map<String, String> dimensions) {
        Metric.Builder metric =
                Metric.Builder.create()
                        .namespace(namespace)
                        .metricName(name)
                        .statistic(statistic)
                        .period(MINUTE);
        if (!dimensions.isEmpty()) {
            metric.dimensionsMap(dimensions);
        }
        return metric.build();
    }

    private void dashboard(FunctionsStack all) {
        List<IWidget> alarmed =
                alarms.stream()
                        .<IWidget>map(
                                alarm ->
                                        AlarmWidget.Builder.create()
                                                .title(alarm.getNode().getId())
                                                .alarm(alarm)
                                                .width(6)
                                                .height(4)
                                                .build())
                        .toList();
        Dashboard.Builder.create(this, "Dashboard")
                .dashboardName("Headstone")
                .widgets(List.of(alarmed, List.of(clicks(), takedownTimes(), repairs(all))))
                .build();
    }

    private static IWidget clicks() {
        return graph(
                "Clicks, by what the cache contributed",
                List.of("hit", "miss", "stale", "unavailable").stream()
                        .<IMetric>map(
                                use ->
                                        ours(
                                                "headstone_redirect_seconds",
                                                "SampleCount",
                                                Map.of("outcome", "redirect", "cache", use)))
                        .toList());
    }

    private static IWidget takedownTimes() {
        return graph(
                "Takedowns that were confirmed, seconds",
                List.of("p50", "p99").stream()
                        .<IMetric>map(
                                share ->
                                        ours(
                                                "headstone_takedown_seconds",
                                                share,
                                                Map.of("outcome", "confirmed")))
                        .toList());
    }

    private static IWidget repairs(FunctionsStack all) {
        return graph(
                "The backstop's lag, ms",
                List.of(all.function(FunctionKind.STREAM).alias().metric("IteratorAge")));
    }

    private static IWidget graph(String title, List<IMetric> metrics) {
        return GraphWidget.Builder.create().title(title).left(metrics).width(8).height(6).build();
    }
}
