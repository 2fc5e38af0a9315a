package dev.headstone.writer;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.headstone.lambda.Environment;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lambda entry point of what only operators may: takedown, restore and confirm of a link. Whoever
 * may invoke it is one.
 */
public final class TakedownLambda
        implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
    private static final Pattern PATHS =
            Pattern.compile("/v1/links/[^/]+/(takedown|restore|confirm)");

    private final LinkFunction function;

    /** For Lambda, which calls it once per execution environment. */
    public TakedownLambda() {
        this.function =
                LinkFunction.open(
                        new Environment(System.getenv()),
                        Optional.of(Role.OPERATOR),
                        PATHS.asMatchPredicate());
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(
            APIGatewayV2HTTPEvent event, @Nullable Context context) {
        return function.handle(event, context);
    }
}
