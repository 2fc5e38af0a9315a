package dev.headstone.infra;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.events.Rule;
import software.amazon.awscdk.services.events.Schedule;
import software.amazon.awscdk.services.events.targets.LambdaFunction;
import software.amazon.awscdk.services.iam.AccountRootPrincipal;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.IGrantable;
import software.amazon.awscdk.services.iam.IRole;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.lambda.CfnEventInvokeConfig;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping;
import software.amazon.awscdk.services.lambda.FunctionUrl;
import software.amazon.awscdk.services.lambda.FunctionUrlAuthType;
import software.amazon.awscdk.services.lambda.FunctionUrlOptions;
import software.amazon.awscdk.services.sqs.Queue;
import software.constructs.Construct;

/** Every function but the redirect, what calls it, and who may. */
final class FunctionsStack extends Stack {
    static final Duration SWEPT_EVERY = Duration.minutes(5);

    /** What is left of the sweep's time is for the answer. */
    private static final long SWEEP_RESERVE_SECONDS = 60;

    /** As many records as Lambda hands over by default. */
    static final int STREAM_BATCH = 100;

    /** With the age below: a cache that is away for an afternoon loses nothing to the backstop. */
    static final int STREAM_RETRIES = 1_000;

    /** Half of what a stream keeps, so that somebody may still read the rest of it. */
    static final Duration STREAM_OLDEST = Duration.hours(12);

    private final Map<FunctionKind, HeadstoneFunction> functions =
            new EnumMap<>(FunctionKind.class);
    private final CfnEventSourceMapping streamSource;
    private final CfnEventSourceMapping queueSource;
    private final Role operator;
    private final Role client;

    FunctionsStack(
            Construct scope,
            String id,
            Settings settings,
            NetworkStack network,
            DataStack data,
            CacheStack cache,
            String baseUrl) {
        super(scope, id);
        Map<String, String> writer =
                Map.of(
                        "HEADSTONE_LINKS_TABLE", Names.LINKS,
                        "HEADSTONE_AUDIT_QUEUE", Names.AUDIT_QUEUE,
                        "HEADSTONE_BASE_URL", baseUrl);
        Map<String, String> consumer =
                Map.of(
                        "HEADSTONE_LINKS_TABLE",
                        Names.LINKS,
                        "HEADSTONE_AUDIT_QUEUE",
                        Names.AUDIT_QUEUE,
                        "HEADSTONE_SWEEP_SECONDS",
                        String.valueOf(
                                FunctionKind.SWEEP.timeout().toSeconds() - SWEEP_RESERVE_SECONDS));
        for (FunctionKind kind :
                List.of(FunctionKind.LINK_API, FunctionKind.TAKEDOWN, FunctionKind.INVALIDATION)) {
            add(HeadstoneFunction.of(this, kind, settings, network, cache, writer));
        }
        for (FunctionKind kind :
                List.of(FunctionKind.STREAM, FunctionKind.SWEEP, FunctionKind.COMPARATOR)) {
            add(HeadstoneFunction.of(this, kind, settings, network, cache, consumer));
        }
        add(
                HeadstoneFunction.outsideTheNetwork(
                        this,
                        FunctionKind.AUDIT,
                        settings,
                        data.auditWriter().withoutPolicyUpdates(),
                        data.auditWriterLogs(),
                        Map.of("HEADSTONE_AUDIT_TABLE", Names.AUDIT_LOG)));
        grant(data);
        streamSource = readStream(data);
        queueSource = readQueue("QueueSource", data.auditQueue(), FunctionKind.AUDIT);
        CfnEventSourceMapping _ =
                readQueue("ComparisonsSource", data.comparisons(), FunctionKind.COMPARATOR);
        sweepOnSchedule();
        neverBehindTheBack(FunctionKind.INVALIDATION);
        FunctionUrl api = url(FunctionKind.LINK_API);
        FunctionUrl takedowns = url(FunctionKind.TAKEDOWN);
        client = person("Client", "Creates and changes links by the link API");
        operator = person("Operator", "Takes links down, confirms, and reads the audit log");
        letCall(client, FunctionKind.LINK_API);
        letCall(operator, FunctionKind.LINK_API);
        letCall(operator, FunctionKind.TAKEDOWN);
        letInvalidate(operator);
        letInvalidate(function(FunctionKind.LINK_API).role());
        letUseTheTool(data);
        output("LinkApiUrl", api.getUrl());
        output("TakedownUrl", takedowns.getUrl());
        output(
                "InvalidationFunction",
                function(FunctionKind.INVALIDATION).alias().getFunctionArn());
        output("OperatorRole", operator.getRoleArn());
        output("ClientRole", client.getRoleArn());
    }

    private void add(HeadstoneFunction function) {
        functions.put(function.kind(), function);
    }

    HeadstoneFunction function(FunctionKind kind) {
        HeadstoneFunction function = functions.get(kind);
        if (function == null) {
            throw new IllegalArgumentException("the function " + kind + " is in another stack");
        }
        return function;
    }

    CfnEventSourceMapping streamSource() {
        return streamSource;
    }

    CfnEventSourceMapping queueSource() {
        return queueSource;
    }

    private void output(String id, String value) {
        CfnOutput.Builder.create(this, id).value(value).build();
    }

    private void grant(DataStack data) {
        String links = data.links().getTableArn();
        String deaths = data.deaths().getTableArn();
        String queue = data.auditQueue().getQueueArn();
        function(FunctionKind.LINK_API)
                .may(links, "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem")
                .may(deaths, "dynamodb:PutItem")
                .may(data.visits().getTableArn(), "dynamodb:PutItem", "dynamodb:Query")
                .may(data.idempotency().getTableArn(), "dynamodb:GetItem", "dynamodb:PutItem")
                .may(queue, "sqs:GetQueueUrl", "sqs:SendMessage");
        function(FunctionKind.TAKEDOWN)
                .may(links, "dynamodb:GetItem", "dynamodb:UpdateItem")
                .may(deaths, "dynamodb:PutItem")
                .may(queue, "sqs:GetQueueUrl", "sqs:SendMessage");
        function(FunctionKind.INVALIDATION)
                .may(links, "dynamodb:GetItem")
                .may(queue, "sqs:GetQueueUrl", "sqs:SendMessage");
        function(FunctionKind.STREAM)
                .may(links, "dynamodb:GetItem")
                .may(data.parked().getTableArn(), "dynamodb:PutItem")
                .may(data.visits().getTableArn(), "dynamodb:Query", "dynamodb:UpdateItem")
                .may(queue, "sqs:GetQueueUrl", "sqs:SendMessage")
                .may(
                        data.linksStream(),
                        "dynamodb:DescribeStream",
                        "dynamodb:GetRecords",
                        "dynamodb:GetShardIterator")
                .may("*", "dynamodb:ListStreams")
                .may(data.failedRecords().getBucketArn(), "s3:ListBucket")
                .may(data.failedRecords().arnForObjects("aws/lambda/*"), "s3:PutObject");
        Accepted.findingLike(
                function(FunctionKind.STREAM).role(),
                "AwsSolutions-IAM5",
                "Lambda names the objects itself, below this prefix of one bucket.",
                "/^Resource::.*FailedRecords.*\\/aws\\/lambda\\/\\*$/");
        String comparisons = data.comparisons().getQueueArn();
        function(FunctionKind.STREAM).may(comparisons, "sqs:GetQueueUrl", "sqs:SendMessage");
        function(FunctionKind.COMPARATOR)
                .may(links, "dynamodb:GetItem")
                .may(queue, "sqs:GetQueueUrl", "sqs:SendMessage")
                .may(
                        comparisons,
                        "sqs:GetQueueUrl",
                        "sqs:SendMessage",
                        "sqs:ReceiveMessage",
                        "sqs:DeleteMessage",
                        "sqs:ChangeMessageVisibility",
                        "sqs:GetQueueAttributes");
        function(FunctionKind.SWEEP).may(links, "dynamodb:GetItem").may(deaths, "dynamodb:Query");
    }

    /**
     * No filter: one that is wrong drains the backstop without a word. What is given up goes to a
     * bucket with its records; a queue would get their place in the stream only, which may be
     * trimmed before anybody looks.
     */
    private CfnEventSourceMapping readStream(DataStack data) {
        HeadstoneFunction consumer = function(FunctionKind.STREAM);
        CfnEventSourceMapping source =
                CfnEventSourceMapping.Builder.create(this, "StreamSource")
                        .functionName(consumer.alias().getFunctionArn())
                        .eventSourceArn(data.linksStream())
                        .startingPosition("TRIM_HORIZON")
                        .batchSize(STREAM_BATCH)
                        .bisectBatchOnFunctionError(true)
                        .functionResponseTypes(List.of("ReportBatchItemFailures"))
                        .maximumRetryAttempts(STREAM_RETRIES)
                        .maximumRecordAgeInSeconds(STREAM_OLDEST.toSeconds())
                        .destinationConfig(
                                CfnEventSourceMapping.DestinationConfigProperty.builder()
                                        .onFailure(
                                                CfnEventSourceMapping.OnFailureProperty.builder()
                                                        .destination(
                                                                data.failedRecords().getBucketArn())
                                                        .build())
                                        .build())
                        .metricsConfig(counted())
                        .build();
        source.getNode().addDependency(consumer.role());
        return source;
    }

    /** What the queue holds goes to that function, whose permission has to be there before. */
    private CfnEventSourceMapping readQueue(String id, Queue queue, FunctionKind kind) {
        HeadstoneFunction function = function(kind);
        CfnEventSourceMapping source =
                CfnEventSourceMapping.Builder.create(this, id)
                        .functionName(function.alias().getFunctionArn())
                        .eventSourceArn(queue.getQueueArn())
                        .batchSize(10)
                        .functionResponseTypes(List.of("ReportBatchItemFailures"))
                        .scalingConfig(
                                CfnEventSourceMapping.ScalingConfigProperty.builder()
                                        .maximumConcurrency(kind.reserved().orElseThrow())
                                        .build())
                        .metricsConfig(counted())
                        .build();
        source.getNode().addDependency(function.role());
        return source;
    }

    private static CfnEventSourceMapping.MetricsConfigProperty counted() {
        return CfnEventSourceMapping.MetricsConfigProperty.builder()
                .metrics(List.of("EventCount"))
                .build();
    }

    private void sweepOnSchedule() {
        Rule.Builder.create(this, "SweepSchedule")
                .description("Settles again what died in the last 25 hours")
                .schedule(Schedule.rate(SWEPT_EVERY))
                .targets(
                        List.of(
                                LambdaFunction.Builder.create(function(FunctionKind.SWEEP).alias())
                                        .retryAttempts(0) // the next one is near
                                        .maxEventAge(SWEPT_EVERY)
                                        .build()))
                .build();
    }

    /**
     * Whoever invokes it waits for its answer: that is the confirmation. IAM cannot tell how a
     * function is invoked; so nothing that invokes without waiting may invoke it at all, and what
     * comes that way by mistake is not tried a second time behind anybody's back, and alarms.
     */
    private void neverBehindTheBack(FunctionKind kind) {
        CfnEventInvokeConfig.Builder.create(this, kind.id() + "NotLater")
                .functionName(function(kind).function().getFunctionName())
                .qualifier(HeadstoneFunction.ALIAS)
                .maximumRetryAttempts(0)
                .maximumEventAgeInSeconds(60)
                .build()
                .getNode()
                .addDependency(function(kind).alias());
    }

    private FunctionUrl url(FunctionKind kind) {
        return function(kind)
                .alias()
                .addFunctionUrl(
                        FunctionUrlOptions.builder().authType(FunctionUrlAuthType.AWS_IAM).build());
    }

    /** Taken on by people of this account who are allowed to; the session's name is their trace. */
    private Role person(String id, String description) {
        return Role.Builder.create(this, id)
                .assumedBy(new AccountRootPrincipal())
                .description(description)
                .maxSessionDuration(Duration.hours(1))
                .build();
    }

    private void letCall(Role caller, FunctionKind kind) {
        String alias = function(kind).alias().getFunctionArn();
        caller.addToPolicy(
                PolicyStatement.Builder.create()
                        .effect(Effect.ALLOW)
                        .actions(List.of("lambda:InvokeFunctionUrl"))
                        .resources(List.of(alias))
                        .conditions(
                                Map.of(
                                        "StringEquals",
                                        Map.of("lambda:FunctionUrlAuthType", "AWS_IAM")))
                        .build());
        caller.addToPolicy(
                PolicyStatement.Builder.create()
                        .effect(Effect.ALLOW)
                        .actions(List.of("lambda:InvokeFunction"))
                        .resources(List.of(alias))
                        .conditions(Map.of("Bool", Map.of("lambda:InvokedViaFunctionUrl", "true")))
                        .build());
    }

    private void letInvalidate(IRole caller) {
        caller.addToPrincipalPolicy(
                PolicyStatement.Builder.create()
                        .sid("Invalidate")
                        .actions(List.of("lambda:InvokeFunction"))
                        .resources(
                                List.of(
                                        function(FunctionKind.INVALIDATION)
                                                .alias()
                                                .getFunctionArn()))
                        .build());
    }

    /** What {@code headstone --aws} does itself: the conditional update, and reading. */
    private void letUseTheTool(DataStack data) {
        allow(data.links().getTableArn(), "dynamodb:GetItem", "dynamodb:UpdateItem");
        allow(data.deaths().getTableArn(), "dynamodb:PutItem");
        allow(data.auditQueue().getQueueArn(), "sqs:GetQueueUrl", "sqs:SendMessage");
        allow(
                data.auditLog().getTableArn(),
                "dynamodb:GetItem",
                "dynamodb:BatchGetItem",
                "dynamodb:Query",
                "dynamodb:Scan");
        allow(data.auditLog().getTableArn() + "/index/by_time", "dynamodb:Query");
    }

    private void allow(String resource, String... actions) {
        operator.addToPolicy(
                PolicyStatement.Builder.create()
                        .actions(List.of(actions))
                        .resources(List.of(resource))
                        .build());
    }

    IGrantable operator() {
        return operator;
    }
}
