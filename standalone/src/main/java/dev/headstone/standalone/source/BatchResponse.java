package dev.headstone.standalone.source;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.standalone.source.Answer.Accepted;
import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.ItemsFailed;
import dev.headstone.standalone.source.Answer.Kind;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads a partial batch response by AWS's rules: an empty or null response, and an empty or null
 * list, are a success; invalid JSON and an item whose identifier is null, empty or under another
 * key fail the whole batch.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html">Configuring
 *     partial batch response with DynamoDB and Lambda</a>
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html">Handling
 *     errors for an SQS event source in Lambda</a>
 */
final class BatchResponse {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private BatchResponse() {}

    static Answer read(byte[] response) {
        try {
            return read(JSON.readTree(response));
        } catch (IOException e) {
            return malformed("response is not JSON");
        }
    }

    private static Answer read(JsonNode response) {
        if (response.isMissingNode() || response.isNull()) {
            return new Accepted();
        }
        if (!response.isObject()) {
            return malformed("response is not an object");
        }
        JsonNode failures = response.path("batchItemFailures");
        if (failures.isMissingNode() || failures.isNull()) {
            return new Accepted();
        }
        return failures.isArray()
                ? readItems(failures)
                : malformed("batchItemFailures is not a list");
    }

    private static Answer readItems(JsonNode failures) {
        Set<String> identifiers = new HashSet<>();
        for (JsonNode item : failures) {
            String identifier = item.path("itemIdentifier").asText("");
            if (!item.path("itemIdentifier").isTextual() || identifier.isEmpty()) {
                return malformed("itemIdentifier is missing");
            }
            identifiers.add(identifier);
        }
        return identifiers.isEmpty() ? new Accepted() : new ItemsFailed(identifiers);
    }

    private static Answer malformed(String fault) {
        return new Failed(Kind.MALFORMED, fault);
    }
}
