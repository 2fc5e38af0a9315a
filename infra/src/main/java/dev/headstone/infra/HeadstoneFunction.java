package dev.headstone.infra;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Annotations;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.IRole;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.lambda.Alias;
import software.amazon.awscdk.services.lambda.Architecture;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.LoggingFormat;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.lambda.SnapStartConf;
import software.amazon.awscdk.services.lambda.Tracing;
import software.amazon.awscdk.services.logs.ILogGroup;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.logs.RetentionDays;

/**
 * One function with its role, its log and the alias by which everybody calls it: a snapshot is made
 * of published versions only, and an alias is what a roll-back moves.
 *
 * @param alias what callers and event sources call
 */
record HeadstoneFunction(FunctionKind kind, Function function, Alias alias, IRole role) {
    /** What everything that calls a function calls. */
    static final String ALIAS = "live";

    /** Functions of the cache's network get the cache's address and token. */
    static HeadstoneFunction of(
            Stack stack,
            FunctionKind kind,
            Settings settings,
            NetworkStack network,
            CacheStack cache,
            Map<String, String> more) {
        Role role =
                Role.Builder.create(stack, kind.id() + "Role")
                        .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
                        .description("What the function " + kind.id() + " may do")
                        .build();
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("HEADSTONE_REDIS", cache.address());
        environment.put("HEADSTONE_REDIS_DURABLE", "true");
        environment.put("HEADSTONE_REDIS_TOKEN_PARAMETER", Names.CACHE_TOKEN_PARAMETER);
        LogGroup logs = logs(stack, kind);
        letWrite(role, logs);
        letAttachToNetwork(role);
        cache.letRead(role);
        Function.Builder function =
                base(stack, kind, settings, role, logs, environment)
                        .vpc(network.vpc())
                        .vpcSubnets(network.subnets())
                        .securityGroups(List.of(network.functions()));
        HeadstoneFunction finished = finished(stack, kind, function, role);
        Accepted.finding(
                role,
                "AwsSolutions-IAM5",
                "Traces, network interfaces that do not exist yet, and lists of streams belong to no"
                        + " resource that a policy could name.",
                "Resource::*");
        return finished;
    }

    /**
     * A function that does not use the cache needs no network of ours.
     *
     * @param role complete: nothing is added to it
     */
    static HeadstoneFunction outsideTheNetwork(
            Stack stack,
            FunctionKind kind,
            Settings settings,
            IRole role,
            ILogGroup logs,
            Map<String, String> environment) {
        return finished(stack, kind, base(stack, kind, settings, role, logs, environment), role);
    }

    /** Where a function writes its lines, for three months. */
    static LogGroup logs(Stack stack, FunctionKind kind) {
        return LogGroup.Builder.create(stack, kind.id() + "Logs")
                .retention(RetentionDays.THREE_MONTHS)
                .removalPolicy(RemovalPolicy.RETAIN)
                .build();
    }

    static void letWrite(Role role, ILogGroup logs) {
        role.addToPolicy(
                PolicyStatement.Builder.create()
                        .sid("WriteLog")
                        .actions(List.of("logs:CreateLogStream", "logs:PutLogEvents"))
                        .resources(List.of(logs.getLogGroupArn()))
                        .build());
    }

    private static Function.Builder base(
            Stack stack,
            FunctionKind kind,
            Settings settings,
            IRole role,
            ILogGroup logs,
            Map<String, String> environment) {
        Function.Builder function =
                Function.Builder.create(stack, kind.id())
                        .runtime(Runtime.JAVA_25)
                        .architecture(Architecture.ARM_64)
                        .handler(kind.handler())
                        .code(Code.fromAsset(settings.artifacts().jar(kind).toString()))
                        .memorySize(kind.memoryMiB())
                        .timeout(Duration.seconds(kind.timeout().toSeconds()))
                        .snapStart(SnapStartConf.ON_PUBLISHED_VERSIONS)
                        .tracing(Tracing.ACTIVE)
                        .logGroup(logs)
                        .loggingFormat(LoggingFormat.JSON)
                        .environment(environment)
                        .role(role);
        kind.reserved().ifPresent(function::reservedConcurrentExecutions);
        return function;
    }

    private static void letAttachToNetwork(Role role) {
        role.addToPolicy(
                PolicyStatement.Builder.create()
                        .sid("AttachToNetwork")
                        .actions(
                                List.of(
                                        "ec2:CreateNetworkInterface",
                                        "ec2:DeleteNetworkInterface",
                                        "ec2:DescribeNetworkInterfaces",
                                        "ec2:DescribeSubnets",
                                        "ec2:AssignPrivateIpAddresses",
                                        "ec2:UnassignPrivateIpAddresses"))
                        .resources(List.of("*"))
                        .build());
    }

    private static HeadstoneFunction finished(
            Stack stack, FunctionKind kind, Function.Builder builder, IRole role) {
        Function function = builder.build();
        Annotations.of(function)
                .acknowledgeWarning(
                        "@aws-cdk/aws-lambda:snapStartRequirePublish",
                        "The alias below publishes a version, and everybody calls the alias.");
        Alias alias =
                Alias.Builder.create(stack, kind.id() + "Alias")
                        .aliasName(ALIAS)
                        .version(function.getCurrentVersion())
                        .build();
        return new HeadstoneFunction(kind, function, alias, role);
    }

    /** Lets it do that with what has this ARN, and nothing else. */
    HeadstoneFunction may(String resource, String... actions) {
        role.addToPrincipalPolicy(
                PolicyStatement.Builder.create()
                        .actions(List.of(actions))
                        .resources(List.of(resource))
                        .build());
        return this;
    }
}
