package dev.headstone.infra;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.ArnComponents;
import software.amazon.awscdk.ArnFormat;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.elasticache.CfnUser;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.LoggingFormat;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.lambda.Tracing;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.logs.RetentionDays;
import software.amazon.awscdk.services.secretsmanager.RotationSchedule;
import software.amazon.awscdk.services.secretsmanager.Secret;

/**
 * Replaces the cache's token on a schedule. The only function that is not in Java: it is part of
 * the infrastructure, runs once a month, and comes with the SDK that its runtime brings.
 */
final class TokenRotation {
    static final String CODE = "rotate-token.cjs";

    private TokenRotation() {}

    static void of(Stack stack, Secret token, CfnUser user) {
        LogGroup logs =
                LogGroup.Builder.create(stack, "RotationLogs")
                        .retention(RetentionDays.THREE_MONTHS)
                        .removalPolicy(RemovalPolicy.DESTROY)
                        .build();
        Role role =
                Role.Builder.create(stack, "RotationRole")
                        .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
                        .build();
        logs.grantWrite(role);
        role.addToPolicy(
                PolicyStatement.Builder.create()
                        .sid("ReplaceToken")
                        .actions(List.of("elasticache:DescribeUsers", "elasticache:ModifyUser"))
                        .resources(
                                List.of(
                                        stack.formatArn(
                                                ArnComponents.builder()
                                                        .service("elasticache")
                                                        .resource("user")
                                                        .resourceName(Names.CACHE_USER)
                                                        .arnFormat(ArnFormat.COLON_RESOURCE_NAME)
                                                        .build())))
                        .build());
        Function rotation =
                Function.Builder.create(stack, "Rotation")
                        .description("Replaces the cache's token")
                        .runtime(Runtime.NODEJS_24_X)
                        .handler("index.handler")
                        .code(Code.fromInline(code()))
                        .memorySize(256)
                        .timeout(Duration.minutes(5))
                        .environment(
                                Map.of(
                                        "SECRET_ARN", token.getSecretArn(),
                                        "USER_ID", user.getRef()))
                        .role(role)
                        .logGroup(logs)
                        .loggingFormat(LoggingFormat.JSON)
                        .tracing(Tracing.ACTIVE)
                        .build();
        RotationSchedule.Builder.create(stack, "RotationSchedule")
                .secret(token)
                .rotationLambda(rotation)
                .automaticallyAfter(CacheStack.ROTATED_EVERY)
                .rotateImmediatelyOnUpdate(false)
                .build();
        Accepted.finding(
                role,
                "AwsSolutions-IAM5",
                "Random passwords and traces belong to no resource that a policy could name.",
                "Resource::*");
    }

    static String code() {
        try (InputStream code = TokenRotation.class.getResourceAsStream(CODE)) {
            if (code == null) {
                throw new IllegalStateException(CODE + " is missing from the class path");
            }
            return new String(code.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(CODE + " cannot be read", e);
        }
    }
}
