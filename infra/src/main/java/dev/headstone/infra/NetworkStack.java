package dev.headstone.infra;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.ec2.FlowLogDestination;
import software.amazon.awscdk.services.ec2.FlowLogOptions;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointAwsService;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointOptions;
import software.amazon.awscdk.services.ec2.InterfaceVpcEndpointAwsService;
import software.amazon.awscdk.services.ec2.InterfaceVpcEndpointOptions;
import software.amazon.awscdk.services.ec2.Port;
import software.amazon.awscdk.services.ec2.SecurityGroup;
import software.amazon.awscdk.services.ec2.SubnetConfiguration;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ec2.Vpc;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.logs.RetentionDays;
import software.constructs.Construct;

/**
 * The network of the cache and of the functions that speak to it: no way out but to the services
 * that they use, each through an endpoint.
 */
final class NetworkStack extends Stack {
    static final int CACHE_PORT = 6379;
    private static final int HTTPS = 443;

    private static final SubnetSelection ISOLATED =
            SubnetSelection.builder().subnetType(SubnetType.PRIVATE_ISOLATED).build();

    private static final Map<String, InterfaceVpcEndpointAwsService> SERVICES =
            Map.of(
                    "Sqs", InterfaceVpcEndpointAwsService.SQS,
                    "Ssm", InterfaceVpcEndpointAwsService.SSM,
                    "SecretsManager", InterfaceVpcEndpointAwsService.SECRETS_MANAGER,
                    "Logs", InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
                    "Lambda", InterfaceVpcEndpointAwsService.LAMBDA,
                    "XRay", InterfaceVpcEndpointAwsService.XRAY);

    private final Vpc vpc;
    private final SecurityGroup functions;
    private final SecurityGroup cache;

    NetworkStack(Construct scope, String id) {
        super(scope, id);
        vpc =
                Vpc.Builder.create(this, "Vpc")
                        .maxAzs(3)
                        .natGateways(0)
                        .subnetConfiguration(
                                List.of(
                                        SubnetConfiguration.builder()
                                                .name("Isolated")
                                                .subnetType(SubnetType.PRIVATE_ISOLATED)
                                                .cidrMask(20)
                                                .build()))
                        .build();
        logFlows();
        functions = group("FunctionsGroup", "Functions that speak to the cache");
        cache = group("CacheGroup", "The cache");
        SecurityGroup endpoints = group("EndpointsGroup", "Endpoints of AWS services");
        allow(functions, cache, CACHE_PORT, "functions to the cache");
        allow(functions, endpoints, HTTPS, "functions to services");
        addEndpoints(endpoints);
    }

    private void logFlows() {
        LogGroup flows =
                LogGroup.Builder.create(this, "Flows")
                        .retention(RetentionDays.ONE_MONTH)
                        .removalPolicy(RemovalPolicy.DESTROY)
                        .build();
        vpc.addFlowLog(
                "FlowLog",
                FlowLogOptions.builder()
                        .destination(FlowLogDestination.toCloudWatchLogs(flows))
                        .build());
    }

    private SecurityGroup group(String id, String description) {
        return SecurityGroup.Builder.create(this, id)
                .vpc(vpc)
                .description(description)
                .allowAllOutbound(false)
                .build();
    }

    private static void allow(SecurityGroup from, SecurityGroup to, int port, String why) {
        from.addEgressRule(to, Port.tcp(port), why);
        to.addIngressRule(from, Port.tcp(port), why);
    }

    private void addEndpoints(SecurityGroup endpoints) {
        // The table and the buckets are reached by route, not by address: their prefix lists are
        // known to a region only, so that the way out of the group to them is HTTPS to anywhere.
        functions.addEgressRule(
                software.amazon.awscdk.services.ec2.Peer.anyIpv4(),
                Port.tcp(HTTPS),
                "functions to gateway endpoints; there is no other route");
        for (Map.Entry<String, GatewayVpcEndpointAwsService> gateway :
                Map.of(
                                "DynamoDb", GatewayVpcEndpointAwsService.DYNAMODB,
                                "S3", GatewayVpcEndpointAwsService.S3)
                        .entrySet()) {
            vpc.addGatewayEndpoint(
                    gateway.getKey(),
                    GatewayVpcEndpointOptions.builder().service(gateway.getValue()).build());
        }
        SERVICES.forEach(
                (id, service) ->
                        vpc.addInterfaceEndpoint(
                                id,
                                InterfaceVpcEndpointOptions.builder()
                                        .service(service)
                                        .privateDnsEnabled(true)
                                        .open(false)
                                        .securityGroups(List.of(endpoints))
                                        .subnets(ISOLATED)
                                        .build()));
    }

    Vpc vpc() {
        return vpc;
    }

    SubnetSelection subnets() {
        return ISOLATED;
    }

    SecurityGroup functions() {
        return functions;
    }

    SecurityGroup cache() {
        return cache;
    }
}
