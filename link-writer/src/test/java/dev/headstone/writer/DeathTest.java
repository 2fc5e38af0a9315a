package dev.headstone.writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeathTest {
    @Test
    void isReadAsItIsWritten() {
        Death death = new Death(new ShortCode("abc"), 1, 2, Instant.ofEpochMilli(3));

        assertThat(death.payload())
                .isEqualTo("{\"short_code\":\"abc\",\"epoch\":1,\"version\":2,\"deleted_at\":3}");
        assertThat(Death.read(death.payload().getBytes(UTF_8)))
                .isEqualTo(new Reading.Valid<>(death));
    }

    @ParameterizedTest(name = "{1}: {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"short_code\":\"a\",\"epoch\":1,\"version\":2,\"deleted_at\":3} | short_code",
                "{\"epoch\":1,\"version\":2,\"deleted_at\":3} | short_code",
                "{\"short_code\":\"abc\",\"version\":2,\"deleted_at\":3} | epoch",
                "{\"short_code\":\"abc\",\"epoch\":\"1\",\"version\":2,\"deleted_at\":3} | epoch",
                "{\"short_code\":\"abc\",\"epoch\":1,\"version\":0,\"deleted_at\":3} | version",
                "{\"short_code\":\"abc\",\"epoch\":1,\"version\":2} | deleted_at",
                "{\"short_code\":\"abc\",\"epoch\":1,\"version\":2,\"deleted_at\":3,\"actor\":\"me\"} | actor",
            })
    void namesTheFieldAtFault(String payload, String field) {
        assertThat(Death.read(payload.getBytes(UTF_8)))
                .isInstanceOfSatisfying(
                        Reading.Rejected.class,
                        rejected -> assertThat(rejected.field()).isEqualTo(field));
    }
}
