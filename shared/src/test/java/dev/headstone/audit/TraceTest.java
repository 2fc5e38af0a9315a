package dev.headstone.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceTest {
    private static final String ROOT = "1-65a1b2c3-0123456789abcdef01234567";

    @Test
    void keepsOfAHeaderWhatATraceConsistsOf() {
        assertThat(
                        Trace.of(
                                "Self=1-x;Root="
                                        + ROOT
                                        + ";Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a:0;evil=\n"))
                .contains(new Trace(ROOT, "Root=" + ROOT + ";Parent=53995c3f42cd8ad8;Sampled=1"));
        assertThat(Trace.of("Root=" + ROOT)).contains(new Trace(ROOT, "Root=" + ROOT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Root=",
                "Root=1-65a1b2c3-xyz",
                "Parent=53995c3f42cd8ad8",
                "NotRoot=1-65a1b2c3-0123456789abcdef01234567"
            })
    void isNoneOfWhatIsNoTrace(String header) {
        assertThat(Trace.of(header)).isEmpty();
    }

    @Test
    void isKnownToWhatIsDoneWithinItAndToNothingElse() {
        Trace trace = Trace.of("Root=" + ROOT).orElseThrow();

        Optional<Trace> inside = Trace.within(Optional.of(trace), Trace::current);

        assertThat(inside).contains(trace);
        assertThat(Trace.current()).isEmpty();
        assertThat(Trace.within(Optional.empty(), Trace::current)).isEmpty();
    }
}
