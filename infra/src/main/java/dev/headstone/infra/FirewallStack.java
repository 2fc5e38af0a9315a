package dev.headstone.infra;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CfnRule;
import software.amazon.awscdk.CfnRuleAssertion;
import software.amazon.awscdk.Fn;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.wafv2.CfnWebACL;
import software.constructs.Construct;

/** What is turned away at the edge. AWS has it in us-east-1 only, and says so late. */
final class FirewallStack extends Stack {
    /** Requests of one address in five minutes: seven a second, a person's most hectic. */
    static final int MOST_REQUESTS = 2_000;

    private final CfnWebACL acl;

    FirewallStack(Construct scope, String id) {
        super(scope, id);
        CfnRule.Builder.create(this, "OnlyInUsEast1")
                .assertions(
                        List.of(
                                CfnRuleAssertion.builder()
                                        .assertValue(Fn.conditionEquals(Aws.REGION, "us-east-1"))
                                        .assertDescription(
                                                "A firewall of CloudFront can be made in us-east-1"
                                                        + " only: deploy there, or name one that exists"
                                                        + " with --firewall.")
                                        .build()))
                .build();
        acl =
                CfnWebACL.Builder.create(this, "Firewall")
                        .scope("CLOUDFRONT")
                        .defaultAction(
                                CfnWebACL.DefaultActionProperty.builder()
                                        .allow(CfnWebACL.AllowActionProperty.builder().build())
                                        .build())
                        .visibilityConfig(visibility("Firewall"))
                        .rules(List.of(rate(), reputation()))
                        .build();
    }

    private static CfnWebACL.RuleProperty rate() {
        return CfnWebACL.RuleProperty.builder()
                .name("Rate")
                .priority(0)
                .action(
                        CfnWebACL.RuleActionProperty.builder()
                                .block(CfnWebACL.BlockActionProperty.builder().build())
                                .build())
                .statement(
                        CfnWebACL.StatementProperty.builder()
                                .rateBasedStatement(
                                        CfnWebACL.RateBasedStatementProperty.builder()
                                                .aggregateKeyType("IP")
                                                .evaluationWindowSec(300)
                                                .limit(MOST_REQUESTS)
                                                .build())
                                .build())
                .visibilityConfig(visibility("Rate"))
                .build();
    }

    private static CfnWebACL.RuleProperty reputation() {
        return CfnWebACL.RuleProperty.builder()
                .name("Reputation")
                .priority(1)
                .overrideAction(CfnWebACL.OverrideActionProperty.builder().none(Map.of()).build())
                .statement(
                        CfnWebACL.StatementProperty.builder()
                                .managedRuleGroupStatement(
                                        CfnWebACL.ManagedRuleGroupStatementProperty.builder()
                                                .vendorName("AWS")
                                                .name("AWSManagedRulesAmazonIpReputationList")
                                                .build())
                                .build())
                .visibilityConfig(visibility("Reputation"))
                .build();
    }

    private static CfnWebACL.VisibilityConfigProperty visibility(String name) {
        return CfnWebACL.VisibilityConfigProperty.builder()
                .cloudWatchMetricsEnabled(true)
                .metricName("Headstone" + name)
                .sampledRequestsEnabled(true)
                .build();
    }

    String arn() {
        return acl.getAttrArn();
    }
}
