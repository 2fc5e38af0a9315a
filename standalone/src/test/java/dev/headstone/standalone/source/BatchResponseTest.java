package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.source.Answer.Accepted;
import dev.headstone.standalone.source.Answer.Failed;
import dev.headstone.standalone.source.Answer.ItemsFailed;
import dev.headstone.standalone.source.Answer.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BatchResponseTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "null",
                "{}",
                "{\"batchItemFailures\":null}",
                "{\"batchItemFailures\":[]}",
                "{\"somethingElse\":[1]}"
            })
    void nothingReportedIsASuccess(String response) {
        assertThat(read(response)).isEqualTo(new Accepted());
    }

    @Test
    void whatIsReportedHasFailed() {
        assertThat(
                        read(
                                "{\"batchItemFailures\":[{\"itemIdentifier\":\"2\"},{\"itemIdentifier\":\"1\"},"
                                        + "{\"itemIdentifier\":\"2\"}]}"))
                .isEqualTo(new ItemsFailed(Set.of("1", "2")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "{\"batchItemFailures\":[]",
                "{} {}",
                "[]",
                "\"done\"",
                "7",
                "{\"batchItemFailures\":{}}",
                "{\"batchItemFailures\":\"1\"}",
                "{\"batchItemFailures\":[\"1\"]}",
                "{\"batchItemFailures\":[null]}",
                "{\"batchItemFailures\":[{\"itemIdentifier\":\"\"}]}",
                "{\"batchItemFailures\":[{\"itemIdentifier\":null}]}",
                "{\"batchItemFailures\":[{\"itemIdentifier\":1}]}",
                "{\"batchItemFailures\":[{\"sequenceNumber\":\"1\"}]}",
                "{\"batchItemFailures\":[{\"itemIdentifier\":\"1\"},{}]}"
            })
    void whatCannotBeReadFailsTheWholeBatch(String response) {
        assertThat(read(response))
                .isInstanceOfSatisfying(
                        Failed.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.MALFORMED));
    }

    private static Answer read(String response) {
        return BatchResponse.read(response.getBytes(StandardCharsets.UTF_8));
    }
}
