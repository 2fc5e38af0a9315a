package dev.headstone.writer.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.link.ShortCode;
import dev.headstone.table.DynamoLinkTable;
import dev.headstone.table.TableNames;
import dev.headstone.writer.Death;
import dev.headstone.writer.Reason;
import dev.headstone.writer.TableTakedown;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.sts.StsClient;

/**
 * An operator with credentials of AWS: who he is says STS, the death is made in DynamoDB, and a
 * synchronous call of the invalidation function confirms it. Region and credentials come from the
 * SDK's own chain, profiles with single sign-on included. Blocks; safe for use by several threads.
 */
public final class AwsOperator implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(3);

    /** What each call but the invocation may take, retries included. */
    private static final Duration CALL = Duration.ofSeconds(10);

    /** A cold start, and everything that a takedown waits for. */
    private static final Duration INVOCATION = Duration.ofSeconds(30);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final StsClient sts;
    private final DynamoDbClient dynamo;
    private final LambdaClient lambda;
    private final TableTakedown table;
    private final String function;

    private AwsOperator(
            TableNames names, String function, InstantSource clock, RandomGenerator random) {
        this.sts = built(StsClient.builder(), CALL);
        this.dynamo = built(DynamoDbClient.builder(), CALL);
        this.lambda = built(LambdaClient.builder(), INVOCATION);
        this.table = new TableTakedown(new DynamoLinkTable(dynamo, names), clock, random);
        this.function = function;
    }

    private static <B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C> C built(
            B builder, Duration call) {
        return builder.httpClientBuilder(
                        UrlConnectionHttpClient.builder()
                                .connectionTimeout(CONNECT)
                                .socketTimeout(call))
                .overrideConfiguration(override -> override.apiCallTimeout(call))
                .build();
    }

    /**
     * Opens the clients; asks nothing yet.
     *
     * @param function name or ARN of the invalidation function
     * @param random unpredictable in production
     * @throws SdkException if the SDK's configuration names no region
     */
    public static AwsOperator open(
            TableNames names, String function, InstantSource clock, RandomGenerator random) {
        return new AwsOperator(names, function, clock, random);
    }

    /** Takes a link down, in the name of whoever the credentials belong to. */
    public TakedownOutcome takeDown(ShortCode code, Reason reason) {
        String actor;
        try {
            actor = sts.getCallerIdentity().arn();
        } catch (SdkException e) {
            return new TakedownOutcome.Failed("Nobody can say who you are: " + e.getMessage());
        }
        return switch (table.takeDown(code, reason, actor)) {
            case TableTakedown.Result.Made(Death death) -> confirm(death);
            case TableTakedown.Result.Refused(var link, var ground) ->
                    new TakedownOutcome.Refused(
                            "%s It was done by %s."
                                    .formatted(ground.sentence(), link.lastChange().by()));
            case TableTakedown.Result.NoSuchLink _ ->
                    new TakedownOutcome.Refused("There is no such link.");
            case TableTakedown.Result.Unreadable(String why) ->
                    new TakedownOutcome.Refused("The table holds no readable link: " + why + ".");
            case TableTakedown.Result.NotMade(String why) ->
                    new TakedownOutcome.Failed("Nothing was changed: " + why);
            case TableTakedown.Result.InDoubt(String why) ->
                    new TakedownOutcome.NotConfirmed(
                            "Nobody knows whether the link was taken down: " + why);
        };
    }

    private TakedownOutcome confirm(Death death) {
        InvokeResponse response;
        try {
            response =
                    lambda.invoke(
                            call ->
                                    call.functionName(function)
                                            .invocationType(InvocationType.REQUEST_RESPONSE)
                                            .payload(SdkBytes.fromUtf8String(death.payload())));
        } catch (SdkException e) {
            return notConfirmed("the invalidation could not be invoked: " + e.getMessage());
        }
        String payload = response.payload() == null ? "" : response.payload().asUtf8String();
        return response.functionError() == null
                ? outcome(payload)
                : notConfirmed("the invalidation failed: " + response.functionError());
    }

    private static TakedownOutcome outcome(String payload) {
        JsonNode answer;
        try {
            answer = JSON.readTree(payload);
        } catch (JsonProcessingException e) {
            return notConfirmed("the invalidation answered with what is no JSON");
        }
        String detail = answer.path("detail").asText("no reason given");
        return switch (answer.path("outcome").asText()) {
            case "confirmed" -> new TakedownOutcome.Confirmed(payload);
            case "superseded", "refused" -> new TakedownOutcome.Refused(detail);
            default -> notConfirmed(detail);
        };
    }

    /** The death stands by then: it is only not known to have reached the caches. */
    private static TakedownOutcome notConfirmed(String why) {
        return new TakedownOutcome.NotConfirmed("The link is dead, but not confirmed: " + why);
    }

    @Override
    public void close() {
        lambda.close();
        dynamo.close();
        sts.close();
    }
}
