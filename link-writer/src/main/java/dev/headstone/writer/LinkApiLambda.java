package dev.headstone.writer;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.headstone.lambda.Environment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lambda entry point of the link API: everything but what only operators may. */
public final class LinkApiLambda
        implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
    private final LinkFunction function;

    /** For Lambda, which calls it once per execution environment. */
    public LinkApiLambda() {
        this.function =
                LinkFunction.open(
                        new Environment(System.getenv()), Optional.empty(), ControlApi::serves);
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(
            APIGatewayV2HTTPEvent event, @Nullable Context context) {
        return function.handle(event, context);
    }
}
