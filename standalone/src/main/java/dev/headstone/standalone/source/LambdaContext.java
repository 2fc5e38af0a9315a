package dev.headstone.standalone.source;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a handler learns of its invocation: as in Lambda, with the log going where the process logs.
 */
final class LambdaContext implements Context {
    private final String name;
    private final String requestId;
    private final Instant deadline;
    private final InstantSource clock;

    LambdaContext(String name, String requestId, Instant deadline, InstantSource clock) {
        this.name = name;
        this.requestId = requestId;
        this.deadline = deadline;
        this.clock = clock;
    }

    @Override
    public String getAwsRequestId() {
        return requestId;
    }

    @Override
    public String getLogGroupName() {
        return "/aws/lambda/" + name;
    }

    @Override
    public String getLogStreamName() {
        return "standalone";
    }

    @Override
    public String getFunctionName() {
        return name;
    }

    @Override
    public String getFunctionVersion() {
        return "$LATEST";
    }

    @Override
    public String getInvokedFunctionArn() {
        return "arn:aws:lambda:local:000000000000:function:" + name;
    }

    @Override
    public @Nullable CognitoIdentity getIdentity() {
        return null;
    }

    @Override
    public @Nullable ClientContext getClientContext() {
        return null;
    }

    @Override
    public int getRemainingTimeInMillis() {
        long left = Duration.between(clock.instant(), deadline).toMillis();
        return Math.clamp(left, 0, Integer.MAX_VALUE);
    }

    @Override
    public int getMemoryLimitInMB() {
        return Math.clamp(Runtime.getRuntime().maxMemory() >> 20, 0, Integer.MAX_VALUE);
    }

    @Override
    public LambdaLogger getLogger() {
        Logger log = LoggerFactory.getLogger("lambda." + name);
        return new LambdaLogger() {
            @Override
            public void log(String message) {
                log.info("{}", message);
            }

            @Override
            public void log(byte[] message) {
                log(new String(message, StandardCharsets.UTF_8));
            }
        };
    }
}
