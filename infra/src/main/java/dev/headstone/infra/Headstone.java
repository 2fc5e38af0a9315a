package dev.headstone.infra;

import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Aspects;
import software.amazon.awscdk.Tags;

/**
 * All stacks, in the order in which they are deployed. They name no account and no region: whoever
 * deploys them says where, by being there.
 */
record Headstone(
        NetworkStack network,
        DataStack data,
        CacheStack cache,
        RedirectStack redirect,
        EdgeStack edge,
        FunctionsStack functions,
        AlarmsStack alarms) {
    static Headstone in(App app, Settings settings) {
        // What a stack uses of another cannot be taken away from under it.
        app.getNode().setContext("@aws-cdk/core:defaultCrossStackReferences", "strong");
        NetworkStack network = new NetworkStack(app, "HeadstoneNetwork");
        DataStack data = new DataStack(app, "HeadstoneData");
        CacheStack cache = new CacheStack(app, "HeadstoneCache", network);
        RedirectStack redirect =
                new RedirectStack(app, "HeadstoneRedirect", settings, network, data, cache);
        String firewall =
                settings.firewall()
                        .orElseGet(() -> new FirewallStack(app, "HeadstoneFirewall").arn());
        EdgeStack edge = new EdgeStack(app, "HeadstoneEdge", settings, firewall, data, redirect);
        FunctionsStack functions =
                new FunctionsStack(
                        app, "HeadstoneFunctions", settings, network, data, cache, edge.baseUrl());
        AlarmsStack alarms = new AlarmsStack(app, "HeadstoneAlarms", data, redirect, functions);
        Tags.of(app).add("project", "headstone");
        Aspects.of(app).add(AwsSolutionsChecks.Builder.create().build());
        return new Headstone(network, data, cache, redirect, edge, functions, alarms);
    }
}
