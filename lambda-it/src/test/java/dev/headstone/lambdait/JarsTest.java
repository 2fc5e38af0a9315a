package dev.headstone.lambdait;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JarsTest {
    private static final long MOST_OF_REDIRECT = 20_000_000;

    @Test
    void theRedirectsJarHasAtMostTwentyMegabytes() throws IOException {
        assertThat(Files.size(FunctionProcess.jar("redirect-handler")))
                .isLessThanOrEqualTo(MOST_OF_REDIRECT);
    }

    @Test
    void theSizesStandInTheOutput() throws IOException {
        for (String module :
                List.of("redirect-handler", "link-writer", "stream-consumer", "audit-writer")) {
            long bytes = Files.size(FunctionProcess.jar(module));
            System.out.printf(Locale.ROOT, "jar, %s: %.1f MB%n", module, bytes / 1e6);
            assertThat(bytes).isPositive();
        }
    }

    @ParameterizedTest(name = "{0} without {1}")
    @CsvSource({
        "redirect-handler, software/amazon/awssdk/services/sqs/",
        "redirect-handler, com/google/common/",
        "link-writer, software/amazon/awssdk/services/lambda/",
        "link-writer, software/amazon/awssdk/services/sts/",
        "link-writer, dev/headstone/writer/aws/",
        "audit-writer, io/lettuce/",
        "audit-writer, io/netty/",
        "audit-writer, software/amazon/awssdk/services/sqs/",
    })
    void noJarHoldsWhatItsFunctionsDoNotUse(String module, String folder) throws IOException {
        assertThat(holds(module, folder)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redirect-handler", "link-writer", "stream-consumer", "audit-writer"})
    void eachJarHoldsOneHttpClientAndOneLoggingBackend(String module) throws IOException {
        assertThat(holds(module, "software/amazon/awssdk/http/urlconnection/")).isTrue();
        assertThat(holds(module, "software/amazon/awssdk/http/apache")).isFalse();
        assertThat(holds(module, "software/amazon/awssdk/http/nio/")).isFalse();
        assertThat(holds(module, "software/amazon/awssdk/http/crt/")).isFalse();
        assertThat(holds(module, "org/slf4j/simple/")).isFalse();
        assertThat(holds(module, "ch/qos/logback/")).isFalse();
        assertThat(holds(module, "META-INF/services/org.slf4j.spi.SLF4JServiceProvider")).isTrue();
    }

    private static boolean holds(String module, String prefix) throws IOException {
        try (JarFile jar = new JarFile(FunctionProcess.jar(module).toFile())) {
            return jar.stream().anyMatch(entry -> entry.getName().startsWith(prefix));
        }
    }
}
