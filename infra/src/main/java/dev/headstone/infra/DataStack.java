package dev.headstone.infra;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.dynamodb.Attribute;
import software.amazon.awscdk.services.dynamodb.AttributeType;
import software.amazon.awscdk.services.dynamodb.BillingMode;
import software.amazon.awscdk.services.dynamodb.GlobalSecondaryIndexProps;
import software.amazon.awscdk.services.dynamodb.PointInTimeRecoverySpecification;
import software.amazon.awscdk.services.dynamodb.ProjectionType;
import software.amazon.awscdk.services.dynamodb.StreamViewType;
import software.amazon.awscdk.services.dynamodb.Table;
import software.amazon.awscdk.services.dynamodb.TableEncryption;
import software.amazon.awscdk.services.iam.AnyPrincipal;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.PolicyDocument;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.s3.BlockPublicAccess;
import software.amazon.awscdk.services.s3.Bucket;
import software.amazon.awscdk.services.s3.BucketEncryption;
import software.amazon.awscdk.services.s3.LifecycleRule;
import software.amazon.awscdk.services.s3.ObjectOwnership;
import software.amazon.awscdk.services.sqs.DeadLetterQueue;
import software.amazon.awscdk.services.sqs.DeduplicationScope;
import software.amazon.awscdk.services.sqs.FifoThroughputLimit;
import software.amazon.awscdk.services.sqs.Queue;
import software.amazon.awscdk.services.sqs.QueueEncryption;
import software.constructs.Construct;

/**
 * What must outlive everything else: the tables, the queue of audit events with its dead letters,
 * and the records that the stream's consumer gave up. Nothing here goes when its stack does.
 */
final class DataStack extends Stack {
    /** The attribute by which DynamoDB cleans up. */
    static final String PURGE_AT = "purge_at";

    /** After so many deliveries a message is a dead letter. */
    static final int MOST_DELIVERIES = 5;

    /** The longest that SQS keeps a message. */
    static final Duration LONGEST_RETENTION = Duration.days(14);

    /** As many times the function's timeout as AWS advises for an event source. */
    private static final int VISIBILITY_PER_TIMEOUT = 6;

    private static final List<String> REWRITING =
            List.of(
                    "dynamodb:UpdateItem",
                    "dynamodb:DeleteItem",
                    "dynamodb:BatchWriteItem",
                    "dynamodb:PartiQLInsert",
                    "dynamodb:PartiQLUpdate",
                    "dynamodb:PartiQLDelete",
                    "dynamodb:UpdateTimeToLive");

    private final Table links;
    private final Table deaths;
    private final Table idempotency;
    private final Table parked;
    private final Table visits;
    private final Table auditLog;
    private final Queue auditQueue;
    private final Queue auditDeadLetters;
    private final Queue comparisons;
    private final Bucket accessLogs;
    private final Bucket failedRecords;
    private final Role auditWriter;
    private final LogGroup auditWriterLogs;

    DataStack(Construct scope, String id) {
        super(scope, id);
        // Its role is here, since the table's own policy names it as the only one that may write.
        auditWriter =
                Role.Builder.create(this, "AuditWriter")
                        .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
                        .description("The audit writer: appends to the audit log, and nothing else")
                        .build();
        links =
                table("Links", Names.LINKS, "short_code", Optional.empty()).stream(
                                StreamViewType.NEW_AND_OLD_IMAGES)
                        .timeToLiveAttribute(PURGE_AT)
                        .build();
        deaths =
                table("Deaths", Names.DEATHS, "bucket", Optional.of("entry"))
                        .timeToLiveAttribute(PURGE_AT)
                        .build();
        idempotency =
                table("Idempotency", Names.IDEMPOTENCY, "id", Optional.empty())
                        .timeToLiveAttribute(PURGE_AT)
                        .build();
        parked = table("Parked", Names.PARKED, "id", Optional.of("part")).build();
        visits = createVisits();
        auditLog = createAuditLog();
        auditDeadLetters = queue("AuditDeadLetters", Names.AUDIT_DEAD_LETTERS).build();
        Accepted.finding(
                auditDeadLetters, "AwsSolutions-SQS3", "It is the queue of dead letters itself.");
        auditQueue =
                queue("AuditQueue", Names.AUDIT_QUEUE)
                        .visibilityTimeout(
                                Duration.seconds(
                                        VISIBILITY_PER_TIMEOUT
                                                * FunctionKind.AUDIT.timeout().toSeconds()))
                        .deadLetterQueue(
                                DeadLetterQueue.builder()
                                        .queue(auditDeadLetters)
                                        .maxReceiveCount(MOST_DELIVERIES)
                                        .build())
                        .build();
        comparisons = createComparisons();
        accessLogs = bucket("AccessLogs").objectOwnership(ObjectOwnership.OBJECT_WRITER).build();
        Accepted.finding(
                accessLogs,
                "AwsSolutions-S1",
                "It holds the access logs; logging it to itself would never end.");
        auditWriterLogs = HeadstoneFunction.logs(this, FunctionKind.AUDIT);
        letTheWriterWork();
        failedRecords =
                bucket("FailedRecords")
                        .serverAccessLogsBucket(accessLogs)
                        .serverAccessLogsPrefix("failed-records/")
                        .build();
    }

    private Table.Builder table(String id, String name, String hashKey, Optional<String> rangeKey) {
        Table.Builder table =
                Table.Builder.create(this, id)
                        .tableName(name)
                        .partitionKey(attribute(hashKey, AttributeType.STRING))
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .encryption(TableEncryption.AWS_MANAGED)
                        .pointInTimeRecoverySpecification(
                                PointInTimeRecoverySpecification.builder()
                                        .pointInTimeRecoveryEnabled(true)
                                        .build())
                        .deletionProtection(true)
                        .removalPolicy(RemovalPolicy.RETAIN);
        rangeKey.ifPresent(key -> table.sortKey(attribute(key, AttributeType.STRING)));
        return table;
    }

    private static Attribute attribute(String name, AttributeType type) {
        return Attribute.builder().name(name).type(type).build();
    }

    private Table createVisits() {
        Table counted =
                table("Visits", Names.VISITS, "bucket", Optional.of("entry"))
                        .timeToLiveAttribute(PURGE_AT)
                        .build();
        for (Map.Entry<String, String> index :
                new TreeMap<>(Map.of("by-visits", "visits", "by-last-visit", "last_visited_at"))
                        .descendingMap()
                        .entrySet()) {
            counted.addGlobalSecondaryIndex(
                    GlobalSecondaryIndexProps.builder()
                            .indexName(index.getKey())
                            .partitionKey(attribute("ranking", AttributeType.STRING))
                            .sortKey(attribute(index.getValue(), AttributeType.NUMBER))
                            .projectionType(ProjectionType.KEYS_ONLY)
                            .build());
        }
        return counted;
    }

    private Table createAuditLog() {
        Table log =
                table("AuditLog", Names.AUDIT_LOG, "short_code", Optional.empty())
                        .sortKey(attribute("seq", AttributeType.NUMBER))
                        .resourcePolicy(appendOnly())
                        .build();
        log.addGlobalSecondaryIndex(
                GlobalSecondaryIndexProps.builder()
                        .indexName("by_time")
                        .partitionKey(attribute("day", AttributeType.STRING))
                        .sortKey(attribute("at_key", AttributeType.STRING))
                        .projectionType(ProjectionType.ALL)
                        .build());
        return log;
    }

    /** A deny that no allow outweighs, not even an administrator's. */
    private PolicyDocument appendOnly() {
        PolicyStatement nobodyRewrites =
                PolicyStatement.Builder.create()
                        .sid("NobodyRewrites")
                        .effect(Effect.DENY)
                        .principals(List.of(new AnyPrincipal()))
                        .actions(REWRITING)
                        .resources(List.of("*"))
                        .build();
        PolicyStatement onlyTheWriterAppends =
                PolicyStatement.Builder.create()
                        .sid("OnlyTheWriterAppends")
                        .effect(Effect.DENY)
                        .principals(List.of(new AnyPrincipal()))
                        .actions(List.of("dynamodb:PutItem"))
                        .resources(List.of("*"))
                        .conditions(
                                Map.of(
                                        "ArnNotEquals",
                                        Map.of("aws:PrincipalArn", auditWriter.getRoleArn())))
                        .build();
        return PolicyDocument.Builder.create()
                .statements(List.of(nobodyRewrites, onlyTheWriterAppends))
                .build();
    }

    private Queue.Builder queue(String id, String name) {
        return Queue.Builder.create(this, id)
                .queueName(name)
                .fifo(true)
                .deduplicationScope(DeduplicationScope.MESSAGE_GROUP)
                .fifoThroughputLimit(FifoThroughputLimit.PER_MESSAGE_GROUP_ID)
                .encryption(QueueEncryption.SQS_MANAGED)
                .enforceSsl(true)
                .retentionPeriod(LONGEST_RETENTION)
                .removalPolicy(RemovalPolicy.RETAIN);
    }

    private Queue createComparisons() {
        Queue queue =
                Queue.Builder.create(this, "Comparisons")
                        .queueName(Names.COMPARISONS)
                        .encryption(QueueEncryption.SQS_MANAGED)
                        .enforceSsl(true)
                        .retentionPeriod(Duration.hours(1))
                        .visibilityTimeout(
                                Duration.seconds(
                                        VISIBILITY_PER_TIMEOUT
                                                * FunctionKind.COMPARATOR.timeout().toSeconds()))
                        .removalPolicy(RemovalPolicy.DESTROY)
                        .build();
        Accepted.finding(
                queue,
                "AwsSolutions-SQS3",
                "A comparison that nobody could make is one look less; there is nothing to replay.");
        return queue;
    }

    private Bucket.Builder bucket(String id) {
        return Bucket.Builder.create(this, id)
                .encryption(BucketEncryption.S3_MANAGED)
                .enforceSsl(true)
                .blockPublicAccess(BlockPublicAccess.BLOCK_ALL)
                .lifecycleRules(
                        List.of(LifecycleRule.builder().expiration(Duration.days(90)).build()))
                .removalPolicy(RemovalPolicy.RETAIN);
    }

    /** All of it: the function's stack adds nothing. */
    private void letTheWriterWork() {
        HeadstoneFunction.letWrite(auditWriter, auditWriterLogs);
        allow(auditLog.getTableArn(), "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query");
        allow(
                auditQueue.getQueueArn(),
                "sqs:ReceiveMessage",
                "sqs:DeleteMessage",
                "sqs:ChangeMessageVisibility",
                "sqs:GetQueueAttributes");
        allow("*", "xray:PutTraceSegments", "xray:PutTelemetryRecords");
        Accepted.finding(
                auditWriter,
                "AwsSolutions-IAM5",
                "Traces belong to no resource that a policy could name.",
                "Resource::*");
    }

    private void allow(String resource, String... actions) {
        auditWriter.addToPolicy(
                PolicyStatement.Builder.create()
                        .actions(List.of(actions))
                        .resources(List.of(resource))
                        .build());
    }

    Table links() {
        return links;
    }

    /** The ARN of the stream of changes. */
    String linksStream() {
        return Objects.requireNonNull(links.getTableStreamArn(), "Links has a stream");
    }

    Table deaths() {
        return deaths;
    }

    Table idempotency() {
        return idempotency;
    }

    Table visits() {
        return visits;
    }

    Table parked() {
        return parked;
    }

    Table auditLog() {
        return auditLog;
    }

    Queue auditQueue() {
        return auditQueue;
    }

    Queue auditDeadLetters() {
        return auditDeadLetters;
    }

    Queue comparisons() {
        return comparisons;
    }

    Bucket accessLogs() {
        return accessLogs;
    }

    Bucket failedRecords() {
        return failedRecords;
    }

    Role auditWriter() {
        return auditWriter;
    }

    LogGroup auditWriterLogs() {
        return auditWriterLogs;
    }
}
