package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class LeastPrivilegeTest {
    private static final Set<String> OF_ALL_IN_THE_NETWORK =
            Set.of(
                    "ec2:AssignPrivateIpAddresses *",
                    "ec2:CreateNetworkInterface *",
                    "ec2:DeleteNetworkInterface *",
                    "ec2:DescribeNetworkInterfaces *",
                    "ec2:DescribeSubnets *",
                    "ec2:UnassignPrivateIpAddresses *",
                    "secretsmanager:GetSecretValue Token",
                    "ssm:GetParameter parameter/aws/reference/secretsmanager/headstone/cache-token",
                    "xray:PutTelemetryRecords *",
                    "xray:PutTraceSegments *");

    private final Templates templates = Templates.usual();
    private final Grants grants = new Grants(templates);

    private Set<String> beyondTheUsual(String function) {
        Set<String> rest = new TreeSet<>(grants.of(function + "Role"));
        assertThat(rest).containsAll(OF_ALL_IN_THE_NETWORK);
        rest.removeAll(OF_ALL_IN_THE_NETWORK);
        assertThat(rest)
                .contains(
                        "logs:CreateLogStream " + function + "Logs",
                        "logs:PutLogEvents " + function + "Logs");
        rest.removeIf(grant -> grant.startsWith("logs:"));
        return rest;
    }

    @Test
    void theRedirectReadsLinksAndCountsVisits() {
        assertThat(beyondTheUsual("Redirect"))
                .containsExactlyInAnyOrder(
                        "dynamodb:GetItem Links",
                        "dynamodb:UpdateItem Links",
                        "dynamodb:PutItem Deaths",
                        "dynamodb:UpdateItem Visits");
    }

    @Test
    void theLinkApiCreatesAndChangesLinks() {
        assertThat(beyondTheUsual("LinkApi"))
                .containsExactlyInAnyOrder(
                        "dynamodb:GetItem Links",
                        "dynamodb:PutItem Links",
                        "dynamodb:UpdateItem Links",
                        "dynamodb:PutItem Deaths",
                        "dynamodb:GetItem Idempotency",
                        "dynamodb:PutItem Idempotency",
                        "dynamodb:PutItem Visits",
                        "dynamodb:Query Visits",
                        "sqs:GetQueueUrl AuditQueue",
                        "sqs:SendMessage AuditQueue",
                        "lambda:InvokeFunction InvalidationAlias");
    }

    @Test
    void theTakedownChangesLinksAndCreatesNone() {
        assertThat(beyondTheUsual("Takedown"))
                .containsExactlyInAnyOrder(
                        "dynamodb:GetItem Links",
                        "dynamodb:UpdateItem Links",
                        "dynamodb:PutItem Deaths",
                        "sqs:GetQueueUrl AuditQueue",
                        "sqs:SendMessage AuditQueue");
    }

    @Test
    void theInvalidationReadsLinksAndChangesNone() {
        assertThat(beyondTheUsual("Invalidation"))
                .containsExactlyInAnyOrder(
                        "dynamodb:GetItem Links",
                        "sqs:GetQueueUrl AuditQueue",
                        "sqs:SendMessage AuditQueue");
    }

    @Test
    void theStreamConsumerReadsTheStreamAndLinksAndPutsAwayWhatItCannotApply() {
        assertThat(beyondTheUsual("Stream"))
                .containsExactlyInAnyOrder(
                        "dynamodb:DescribeStream Links(stream)",
                        "dynamodb:GetRecords Links(stream)",
                        "dynamodb:GetShardIterator Links(stream)",
                        "dynamodb:ListStreams *",
                        "dynamodb:GetItem Links",
                        "dynamodb:PutItem Parked",
                        "dynamodb:Query Visits",
                        "dynamodb:UpdateItem Visits",
                        "s3:ListBucket FailedRecords",
                        "s3:PutObject FailedRecords/aws/lambda/*",
                        "sqs:GetQueueUrl Comparisons",
                        "sqs:SendMessage Comparisons",
                        "sqs:GetQueueUrl AuditQueue",
                        "sqs:SendMessage AuditQueue");
    }

    @Test
    void theSweepReadsDeathsAndLinks() {
        assertThat(beyondTheUsual("Sweep"))
                .containsExactlyInAnyOrder("dynamodb:Query Deaths", "dynamodb:GetItem Links");
    }

    @Test
    void theComparatorReadsLinksAndItsQueue() {
        assertThat(beyondTheUsual("Comparator"))
                .containsExactlyInAnyOrder(
                        "dynamodb:GetItem Links",
                        "sqs:GetQueueUrl AuditQueue",
                        "sqs:SendMessage AuditQueue",
                        "sqs:GetQueueUrl Comparisons",
                        "sqs:SendMessage Comparisons",
                        "sqs:ReceiveMessage Comparisons",
                        "sqs:DeleteMessage Comparisons",
                        "sqs:ChangeMessageVisibility Comparisons",
                        "sqs:GetQueueAttributes Comparisons");
    }

    @Test
    void theAuditWriterTakesFromTheQueueAndAppends() {
        assertThat(grants.of("AuditWriter"))
                .containsExactlyInAnyOrder(
                        "dynamodb:GetItem AuditLog",
                        "dynamodb:PutItem AuditLog",
                        "dynamodb:Query AuditLog",
                        "logs:CreateLogStream AuditLogs",
                        "logs:PutLogEvents AuditLogs",
                        "sqs:ChangeMessageVisibility AuditQueue",
                        "sqs:DeleteMessage AuditQueue",
                        "sqs:GetQueueAttributes AuditQueue",
                        "sqs:ReceiveMessage AuditQueue",
                        "xray:PutTelemetryRecords *",
                        "xray:PutTraceSegments *");
    }

    @Test
    void operatorsTakeDownInvalidateAndReadTheAuditLog() {
        assertThat(grants.of("Operator"))
                .containsExactlyInAnyOrder(
                        "dynamodb:GetItem Links",
                        "dynamodb:UpdateItem Links",
                        "dynamodb:PutItem Deaths",
                        "sqs:GetQueueUrl AuditQueue",
                        "sqs:SendMessage AuditQueue",
                        "dynamodb:GetItem AuditLog",
                        "dynamodb:BatchGetItem AuditLog",
                        "dynamodb:Query AuditLog",
                        "dynamodb:Scan AuditLog",
                        "dynamodb:Query AuditLog/index/by_time",
                        "lambda:InvokeFunction InvalidationAlias",
                        "lambda:InvokeFunction LinkApiAlias if lambda:InvokedViaFunctionUrl",
                        "lambda:InvokeFunction TakedownAlias if lambda:InvokedViaFunctionUrl",
                        "lambda:InvokeFunctionUrl LinkApiAlias if lambda:FunctionUrlAuthType",
                        "lambda:InvokeFunctionUrl TakedownAlias if lambda:FunctionUrlAuthType");
    }

    @Test
    void clientsCallTheLinkApiAndNothingElse() {
        assertThat(grants.of("Client"))
                .containsExactlyInAnyOrder(
                        "lambda:InvokeFunction LinkApiAlias if lambda:InvokedViaFunctionUrl",
                        "lambda:InvokeFunctionUrl LinkApiAlias if lambda:FunctionUrlAuthType");
    }

    @Test
    void onlyTheApiRoleAndTheOperatorRoleMayInvalidate() {
        assertThat(grants.whoMay("lambda:InvokeFunction", "InvalidationAlias"))
                .containsExactlyInAnyOrder("LinkApiRole", "Operator");
    }

    @Test
    void nothingThatDoesNotWaitForTheAnswerMayInvalidate() {
        assertThat(templates.resources("AWS::Lambda::Permission").values())
                .noneSatisfy(
                        permission ->
                                assertThat(permission.at("/Properties/FunctionName").toString())
                                        .contains("Invalidation"));
        assertThat(templates.resources("AWS::Lambda::EventSourceMapping").values())
                .noneSatisfy(
                        source ->
                                assertThat(source.at("/Properties/FunctionName").toString())
                                        .contains("Invalidation"));
        assertThat(templates.resources("AWS::Lambda::Url").keySet())
                .noneMatch(name -> name.startsWith("Invalidation"));
        assertThat(templates.resources("AWS::Events::Rule").toString())
                .doesNotContain("Invalidation");
    }

    @Test
    void anInvalidationThatNobodyWaitsForIsNotTriedAgain() {
        JsonNode config = templates.only("AWS::Lambda::EventInvokeConfig", "InvalidationNotLater");

        assertThat(config.path("FunctionName").toString()).contains("Invalidation");
        assertThat(config.path("Qualifier").asText()).isEqualTo("live");
        assertThat(config.path("MaximumRetryAttempts").asInt()).isZero();
        assertThat(config.path("MaximumEventAgeInSeconds").asInt()).isEqualTo(60);
        assertThat(config.has("DestinationConfig")).isFalse();
    }

    @Test
    void onlyTheAuditWriterMayPutIntoTheAuditLogAndNobodyMayUpdateOrDelete() {
        assertThat(grants.whoMay("dynamodb:PutItem", "AuditLog")).containsExactly("AuditWriter");
        assertThat(grants.whoMay("dynamodb:UpdateItem", "AuditLog")).isEmpty();
        assertThat(grants.whoMay("dynamodb:DeleteItem", "AuditLog")).isEmpty();
        assertThat(grants.whoMay("dynamodb:BatchWriteItem", "AuditLog")).isEmpty();
    }

    @Test
    void nobodyMayDeleteAnItemOrATable() {
        grants.all()
                .values()
                .forEach(
                        each ->
                                assertThat(each)
                                        .noneMatch(grant -> grant.startsWith("dynamodb:Delete")));
    }

    @Test
    void nobodyMayDoEverythingOfAService() {
        grants.all()
                .values()
                .forEach(
                        each ->
                                assertThat(each)
                                        .noneMatch(grant -> grant.split(" ", 2)[0].contains("*")));
    }

    @Test
    void theRotationChangesOneUserAndOneSecret() {
        assertThat(grants.of("RotationRole"))
                .containsExactlyInAnyOrder(
                        "elasticache:DescribeUsers user:headstone",
                        "elasticache:ModifyUser user:headstone",
                        "logs:CreateLogStream RotationLogs",
                        "logs:PutLogEvents RotationLogs",
                        "secretsmanager:DescribeSecret Token",
                        "secretsmanager:GetRandomPassword *",
                        "secretsmanager:GetSecretValue Token",
                        "secretsmanager:PutSecretValue Token",
                        "secretsmanager:UpdateSecretVersionStage Token",
                        "xray:PutTelemetryRecords *",
                        "xray:PutTraceSegments *");
    }

    @Test
    void functionsAreAssumedByLambdaAndPeopleComeFromThisAccount() {
        templates
                .resources("AWS::IAM::Role")
                .forEach(
                        (name, role) -> {
                            String principal =
                                    role.at(
                                                    "/Properties/AssumeRolePolicyDocument/Statement/0/Principal")
                                            .toString();
                            if (name.startsWith("Operator") || name.startsWith("Client")) {
                                assertThat(principal).contains("AWS::AccountId").contains(":root");
                            } else {
                                assertThat(principal)
                                        .containsAnyOf(
                                                "lambda.amazonaws.com",
                                                "vpc-flow-logs.amazonaws.com");
                            }
                        });
    }
}
