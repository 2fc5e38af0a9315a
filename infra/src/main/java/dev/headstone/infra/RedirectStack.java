package dev.headstone.infra;

import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.lambda.FunctionUrl;
import software.amazon.awscdk.services.lambda.FunctionUrlAuthType;
import software.amazon.awscdk.services.lambda.FunctionUrlOptions;
import software.constructs.Construct;

/** The function behind the edge. Before the others: these must know what short URLs begin with. */
final class RedirectStack extends Stack {
    private final HeadstoneFunction redirect;
    private final FunctionUrl url;

    RedirectStack(
            Construct scope,
            String id,
            Settings settings,
            NetworkStack network,
            DataStack data,
            CacheStack cache) {
        super(scope, id);
        redirect =
                HeadstoneFunction.of(
                        this, FunctionKind.REDIRECT, settings, network, cache, variables(settings));
        // A visit of a limited link is counted, and the last one ends the link.
        redirect.may(data.links().getTableArn(), "dynamodb:GetItem", "dynamodb:UpdateItem");
        redirect.may(data.deaths().getTableArn(), "dynamodb:PutItem");
        redirect.may(data.visits().getTableArn(), "dynamodb:UpdateItem");
        url =
                redirect.alias()
                        .addFunctionUrl(
                                FunctionUrlOptions.builder()
                                        .authType(FunctionUrlAuthType.AWS_IAM)
                                        .build());
    }

    /**
     * The distribution's own name is known only after its origin, which this is: no QR codes then.
     */
    private static Map<String, String> variables(Settings settings) {
        Map<String, String> variables = new TreeMap<>(Map.of("HEADSTONE_LINKS_TABLE", Names.LINKS));
        settings.domain()
                .ifPresent(
                        domain -> variables.put("HEADSTONE_BASE_URL", "https://" + domain.name()));
        return variables;
    }

    HeadstoneFunction redirect() {
        return redirect;
    }

    FunctionUrl url() {
        return url;
    }
}
