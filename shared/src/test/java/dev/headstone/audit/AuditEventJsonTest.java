package dev.headstone.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AuditEventJsonTest {
    private static final String COMPLETE =
            """
            {"event_id":"e-1","type":"link.taken_down","outcome":"success","short_code":"abc",\
            "epoch":1790000000000,"version":2,"actor":"alice","reason":"phishing",\
            "at":"2026-11-30T12:00:00.123Z"}""";

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void hasOneOrderOfFieldsAndNoWhiteSpace() {
        assertThat(AuditEventJson.encode(AuditEvents.takedown("e-1", "abc", 2)))
                .isEqualTo(COMPLETE);
    }

    @Test
    void leavesOutWhatIsAbsentAndKeepsTheDetailLast() {
        AuditEvent blocked =
                AuditEvent.withoutLink(
                        "b-1",
                        AuditType.HOST_BLOCKED,
                        AuditOutcome.SUCCESS,
                        "alice",
                        Optional.empty(),
                        Instant.parse("2026-11-30T12:00:00Z"),
                        AuditDetail.none().with("host", "evil.example").with("count", 12));

        assertThat(AuditEventJson.encode(blocked))
                .isEqualTo(
                        """
                        {"event_id":"b-1","type":"host.blocked","outcome":"success","epoch":0,\
                        "version":0,"actor":"alice","at":"2026-11-30T12:00:00.000Z",\
                        "detail":{"count":12,"host":"evil.example"}}""");
    }

    @Property
    void carriesAnyReasonInAsciiAndGivesItBack(
            @ForAll @StringLength(min = 1, max = 500) String reason)
            throws JsonProcessingException {
        AuditEvent event =
                AuditEvent.attempt(
                        "e-1",
                        AuditType.LINK_TAKEN_DOWN,
                        AuditOutcome.SUCCESS,
                        new ShortCode("abc"),
                        1,
                        2,
                        "alice",
                        Optional.of(reason),
                        AuditEvents.AT,
                        AuditDetail.none());

        String text = AuditEventJson.encode(event);

        assertThat(text).matches("[ -\\x7f]+");
        JsonNode back = JSON.readTree(text).get("reason");
        assertThat(back.textValue()).isEqualTo(reason);
    }

    @ParameterizedTest
    @EnumSource
    void readsWhatItWrites(AuditType type) {
        AuditEvent event =
                new AuditEvent(
                        "e-1",
                        type,
                        AuditOutcome.SUCCESS,
                        Optional.of(new ShortCode("abc")),
                        1,
                        2,
                        "alice",
                        Optional.empty(),
                        AuditEvents.AT,
                        AuditDetail.none().with("n", 1));

        assertThat(AuditEventJson.read(AuditEventJson.encode(event)))
                .isEqualTo(
                        new AuditEnvelope(
                                "e-1",
                                type.wireName(),
                                "success",
                                Optional.of(new ShortCode("abc")),
                                AuditEvents.AT));
    }

    @ParameterizedTest(name = "{0} for {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"at\"' | '\"trace\":\"abc\",\"at\"'",
                "link.taken_down | link.renamed",
                "success | half_done",
                "'\"reason\":\"phishing\"' | '\"reason\":null'",
                "'\"reason\":\"phishing\",' | ''",
                "00.123Z | 00.123456789Z",
                "00.123Z | 00.123+05:30"
            })
    void letsPassWhatANewerProducerMaySend(String part, String instead) {
        assertThat(AuditEventJson.read(COMPLETE.replace(part, instead)).eventId()).isEqualTo("e-1");
    }

    @Test
    void needsNoCodeWhereTheEventIsAboutNoLink() {
        assertThat(
                        AuditEventJson.read(
                                        COMPLETE.replace("link.taken_down", "host.blocked")
                                                .replace("\"short_code\":\"abc\",", ""))
                                .shortCode())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0} for {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"e-1\"' | '\"\"' | event_id",
                "'\"e-1\"' | '\"a b\"' | event_id",
                "'\"e-1\"' | 1 | event_id",
                "'\"e-1\"' | null | event_id",
                "event_id | eventId | event_id",
                "link.taken_down | takedown | type",
                "link.taken_down | '' | type",
                "'\"success\"' | true | outcome",
                "success | '' | outcome",
                "'\"abc\"' | '\"ab\"' | short_code",
                "'\"abc\"' | '\"a b c\"' | short_code",
                "'\"abc\"' | null | short_code",
                "'\"short_code\":\"abc\",' | '' | short_code",
                "1790000000000 | '\"1790000000000\"' | epoch",
                "1790000000000 | 99999999999999999999 | epoch",
                "1790000000000 | -1 | epoch",
                "'\"version\":2' | '\"version\":2.5' | version",
                "'\"version\":2,' | '' | version",
                "'\"alice\"' | '\"\"' | actor",
                "'\"alice\"' | '{}' | actor",
                "'\"phishing\"' | 7 | reason",
                "00.123Z | 00.123 | at",
                "2026-11-30T | 2026-02-30T | at",
                "'\"2026-11-30T12:00:00.123Z\"' | 1790000000000 | at"
            })
    void refusesWhatCouldNotBeFoundAgainAndNamesIt(String part, String instead, String field) {
        String body = COMPLETE.replace(part, instead);

        assertThat(body).isNotEqualTo(COMPLETE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuditEventJson.read(body))
                .withMessageStartingWith(field + ":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "\"text\"",
                "{",
                "{\"event_id\":",
                "{\"event_id\":\"a\",\"event_id\":\"b\"}",
                "{} {}",
                "{}x"
            })
    void refusesWhatIsNotExactlyOneObject(String body) {
        assertThatIllegalArgumentException().isThrownBy(() -> AuditEventJson.read(body));
    }

    @Test
    void refusesAnAbyssOfBracketsWithoutFallingIntoIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuditEventJson.read("[".repeat(100_000)));
    }

    @Test
    void refusesASecondObjectAfterAGoodOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> AuditEventJson.read(COMPLETE + "{}"));
    }
}
