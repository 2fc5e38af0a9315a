package dev.headstone.infra;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Fn;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.ec2.SelectedSubnets;
import software.amazon.awscdk.services.elasticache.CfnParameterGroup;
import software.amazon.awscdk.services.elasticache.CfnReplicationGroup;
import software.amazon.awscdk.services.elasticache.CfnSubnetGroup;
import software.amazon.awscdk.services.elasticache.CfnUser;
import software.amazon.awscdk.services.elasticache.CfnUserGroup;
import software.amazon.awscdk.services.iam.IRole;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.secretsmanager.Secret;
import software.amazon.awscdk.services.secretsmanager.SecretStringGenerator;
import software.constructs.Construct;

/**
 * The cache: ElastiCache for Valkey that persists a write in at least two zones before it answers.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/Durability.Options.html">
 *     Durability options</a>
 */
final class CacheStack extends Stack {
    /**
     * One shard holds some ten million records; functions route by slot, so that more may follow.
     */
    private static final int SHARDS = 1;

    /** In three zones with the primary; any of them may be promoted without losing a write. */
    private static final int REPLICAS = 2;

    /** The name of the whole, of which AWS makes the names of nodes. */
    static final String NAME = "headstone";

    /** The keys of the protocol, and of commands what its client sends. */
    static final String ACCESS =
            "on ~url:* ~lease:* ~swept:* resetchannels -@all +@connection +get +set +del +type +eval"
                    + " +evalsha +script|load +time +role +info +wait +dbsize +cluster|slots"
                    + " +cluster|shards +cluster|nodes +cluster|myid +command";

    private final CfnReplicationGroup group;
    private final Secret token;

    CacheStack(Construct scope, String id, NetworkStack network) {
        super(scope, id);
        token = token();
        CfnUser user = user();
        CfnUserGroup users =
                CfnUserGroup.Builder.create(this, "Users")
                        .engine("valkey")
                        .userGroupId("headstone")
                        .userIds(List.of(user.getRef()))
                        .build();
        group = group(network, users);
        TokenRotation.of(this, token, user);
    }

    private Secret token() {
        return Secret.Builder.create(this, "Token")
                .secretName(Names.CACHE_TOKEN)
                .description("The token with which functions present themselves to the cache")
                .generateSecretString(
                        SecretStringGenerator.builder()
                                .passwordLength(64)
                                .excludePunctuation(true)
                                .build())
                .removalPolicy(RemovalPolicy.DESTROY) // a cache can be made again, with another one
                .build();
    }

    private CfnUser user() {
        return CfnUser.Builder.create(this, "User")
                .engine("valkey")
                .userId(Names.CACHE_USER)
                .userName(Names.CACHE_USER)
                .accessString(ACCESS)
                .passwords(List.of(token.getSecretValue().unsafeUnwrap()))
                .build();
    }

    private CfnReplicationGroup group(NetworkStack network, CfnUserGroup users) {
        SelectedSubnets subnets = network.vpc().selectSubnets(network.subnets());
        CfnSubnetGroup subnetGroup =
                CfnSubnetGroup.Builder.create(this, "Subnets")
                        .description("Where the cache may have nodes")
                        .subnetIds(subnets.getSubnetIds())
                        .build();
        CfnParameterGroup parameters =
                CfnParameterGroup.Builder.create(this, "Parameters")
                        .cacheParameterGroupFamily("valkey9")
                        .description(
                                "Every key of the protocol has an end; the oldest may go first")
                        .properties(
                                Map.of(
                                        "cluster-enabled", "yes",
                                        "maxmemory-policy", "volatile-lru"))
                        .build();
        CfnReplicationGroup created =
                CfnReplicationGroup.Builder.create(this, "Cache")
                        .replicationGroupId(NAME)
                        .replicationGroupDescription("Records, leases and tombstones of links")
                        .engine("valkey")
                        .engineVersion("9.0")
                        .cacheNodeType("cache.r7g.large")
                        .clusterMode("enabled")
                        .numNodeGroups(SHARDS)
                        .replicasPerNodeGroup(REPLICAS)
                        .multiAzEnabled(true)
                        .automaticFailoverEnabled(true)
                        .durability("sync")
                        .transitEncryptionEnabled(true)
                        .transitEncryptionMode("required")
                        .atRestEncryptionEnabled(true)
                        .userGroupIds(List.of(users.getRef()))
                        .port(NetworkStack.CACHE_PORT)
                        .cacheParameterGroupName(parameters.getRef())
                        .cacheSubnetGroupName(subnetGroup.getRef())
                        .securityGroupIds(List.of(network.cache().getSecurityGroupId()))
                        .autoMinorVersionUpgrade(true)
                        .snapshotRetentionLimit(0) // an old snapshot is what nobody wants back
                        .build();
        Accepted.finding(
                created,
                "AwsSolutions-AEC5",
                "The port is open to one security group only; another one would hide nothing.");
        Accepted.finding(
                created,
                "AwsSolutions-AEC6",
                "Authentication is by a user with a token of its own and a list of what it may do,"
                        + " which is more than the one token for all.");
        return created;
    }

    /** Where functions connect to, with the user's name and without the token. */
    String address() {
        return Fn.join(
                "",
                List.of(
                        "rediss-cluster://",
                        Names.CACHE_USER,
                        "@",
                        group.getAttrConfigurationEndPointAddress(),
                        ":",
                        String.valueOf(NetworkStack.CACHE_PORT)));
    }

    /** Lets a function read the token, by the parameter store and nothing else. */
    void letRead(IRole role) {
        role.addToPrincipalPolicy(
                PolicyStatement.Builder.create()
                        .sid("ReadTokenAsParameter")
                        .actions(List.of("ssm:GetParameter"))
                        .resources(
                                List.of(
                                        role.getStack()
                                                .formatArn(
                                                        software.amazon.awscdk.ArnComponents
                                                                .builder()
                                                                .service("ssm")
                                                                .resource("parameter")
                                                                .resourceName(
                                                                        Names.CACHE_TOKEN_PARAMETER
                                                                                .substring(1))
                                                                .build())))
                        .build());
        role.addToPrincipalPolicy(
                PolicyStatement.Builder.create()
                        .sid("ReadToken")
                        .actions(List.of("secretsmanager:GetSecretValue"))
                        .resources(List.of(token.getSecretArn()))
                        .build());
    }

    /** The names of the nodes, which AWS makes of the group's, the shard's and their own number. */
    static List<String> nodes() {
        return java.util.stream.IntStream.rangeClosed(1, SHARDS)
                .boxed()
                .flatMap(
                        shard ->
                                java.util.stream.IntStream.rangeClosed(1, 1 + REPLICAS)
                                        .mapToObj(
                                                node ->
                                                        "%s-%04d-%03d"
                                                                .formatted(NAME, shard, node)))
                .toList();
    }

    /** How often a token is replaced. */
    static final Duration ROTATED_EVERY = Duration.days(30);
}
