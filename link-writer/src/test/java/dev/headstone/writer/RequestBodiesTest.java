package dev.headstone.writer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headstone.link.ShortCode;
import dev.headstone.writer.Reading.Rejected;
import dev.headstone.writer.Reading.TooLarge;
import dev.headstone.writer.Reading.Valid;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestBodiesTest {
    private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
    private static final RequestBodies BODIES =
            new RequestBodies(new DestinationPolicy(List.of("short.example")));

    @Test
    void readsALinkWithNothingButADestination() {
        assertThat(create("{\"long_url\": \"https://example.com/\"}"))
                .isEqualTo(
                        new CreateRequest(
                                new Destination.Accepted("https://example.com/", "example.com"),
                                Optional.empty(),
                                Optional.empty(),
                                OptionalLong.empty(),
                                Optional.empty(),
                                List.of()));
    }

    @Test
    void readsALinkWithEverything() {
        assertThat(
                        create(
                                """
                                {"long_url": "https://b\\u00fccher.example/é", "alias": "My_alias-1",
                                 "expires_at": "2026-12-01T12:00:00.0019+01:00", "visit_limit": 1000000000,
                                 "owner": "team:a@b.c_d-e", "tags": ["b", "a", "A"]}
                                """))
                .isEqualTo(
                        new CreateRequest(
                                new Destination.Accepted(
                                        "https://xn--bcher-kva.example/%C3%A9",
                                        "xn--bcher-kva.example"),
                                Optional.of(new ShortCode("My_alias-1")),
                                Optional.of(Instant.parse("2026-12-01T11:00:00.001Z")),
                                OptionalLong.of(1_000_000_000),
                                Optional.of("team:a@b.c_d-e"),
                                List.of("b", "a", "A")));
    }

    @Test
    void takesNullForLeftOutInALink() {
        assertThat(
                        create(
                                """
                                {"long_url": "https://example.com/", "alias": null, "expires_at": null,
                                 "visit_limit": null, "owner": null, "tags": null}"""))
                .isEqualTo(create("{\"long_url\": \"https://example.com/\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "true",
                "1",
                "\"x\"",
                "[]",
                "[{}]",
                "nul",
                "x",
                "{",
                "}",
                "{]",
                "{\"long_url\"}",
                "{\"long_url\":}",
                "{\"long_url\":\"https://example.com/\"",
                "{\"long_url\":\"https://example.com/\",}",
                "{\"long_url\":\"https://example.com/}",
                "{'long_url':'https://example.com/'}",
                "{long_url:\"https://example.com/\"}",
                "{\"long_url\":\"https://example.com/\"} {}",
                "{\"long_url\":\"https://example.com/\"}{}",
                "{\"long_url\":\"https://example.com/\"}x",
                "{\"long_url\":\"https://example.com/\"},",
                "{\"long_url\":\"https://example.com/\"} null",
                "{\"long_url\":\"https://example.com/\"}]",
                "{\"long_url\":\"https://example.com/\"}\0",
                "//c\n{\"long_url\":\"https://example.com/\"}",
                "{\"long_url\":\"https://example.com/\"/*c*/}",
                "{\"long_url\":\"https://example.com/\n\"}",
                "{\"long_url\":\"https://example.com/\\x41\"}",
                "{\"long_url\":\"https://example.com/\\u00g0\"}",
                "{\"long_url\":\"https://example.com/\",\"visit_limit\":01}",
                "{\"long_url\":\"https://example.com/\",\"visit_limit\":+1}",
                "{\"long_url\":\"https://example.com/\",\"visit_limit\":NaN}",
                "{\"long_url\":\"https://example.com/\",\"visit_limit\":1.}",
                "{\"long_url\":\"https://example.com/\",\"visit_limit\":0x1}",
                "{\"tags\":[[[[[[[[[[\"x\"]]]]]]]]]]}",
                "{\"tags\":[\"x\",]}",
                "\ufeff{\"long_url\":\"https://example.com/\"}"
            })
    void refusesABodyThatIsNotExactlyOneObject(String body) {
        assertThat(BODIES.create(utf8(body), NOW))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> {
                            assertThat(rejected.field()).isNull();
                            assertThat(rejected.why()).contains("body");
                        });
    }

    @Test
    void refusesABodyThatIsNotUtf8() {
        String body = "{\"long_url\":\"https://example.com/é\"}";

        for (Charset other : List.of(ISO_8859_1, UTF_16BE, UTF_16LE)) {
            assertRejected(BODIES.create(body.getBytes(other), NOW), null);
        }
        assertRejected(
                BODIES.create(latin1("{\"long_url\":\"https://example.com/\u00c0\u00af\"}"), NOW),
                null);
        assertRejected(
                BODIES.create(
                        latin1("{\"long_url\":\"https://example.com/\u00ed\u00a0\u0080\"}"), NOW),
                null);
        assertRejected(
                BODIES.create(
                        latin1("{\"long_url\":\"https://example.com/\u00f4\u0090\u0080\u0080\"}"),
                        NOW),
                null);
    }

    @Test
    void refusesAFieldGivenTwiceHoweverItIsSpelled() {
        assertRejected(
                createReading(
                        "{\"long_url\":\"https://a.example/\",\"long_url\":\"https://a.example/\"}"),
                "long_url");
        assertRejected(
                createReading(
                        "{\"long_url\":\"https://a.example/\",\"long\\u005furl\":\"https://b.example/\"}"),
                "long_url");
        assertRejected(
                createReading(
                        "{\"alias\":null,\"alias\":\"abc\",\"long_url\":\"https://a.example/\"}"),
                "alias");
        assertRejected(BODIES.reason(utf8("{\"reason\":\"a\",\"reason\":\"b\"}")), "reason");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "short_code",
                "LONG_URL",
                "Alias",
                "long-url",
                "version",
                "is_active",
                "state",
                "changed_by",
                "__proto__"
            })
    void refusesFieldsItDoesNotKnowByName(String field) {
        assertRejected(
                createReading("{\"long_url\":\"https://example.com/\",\"" + field + "\":1}"),
                field);
    }

    @Test
    void doesNotRepeatFieldNamesThatAreUnfitForPrint() {
        assertRejected(createReading("{\"\":1}"), null);
        assertRejected(createReading("{\"a\\nb\":1}"), null);
        assertRejected(createReading("{\"<script>\":1}"), null);
        assertRejected(createReading("{\"" + "a".repeat(60_000) + "\":1}"), null);
    }

    @Test
    void looksAtNoBodyOfMoreThan64KiB() {
        String body = "{\"long_url\":\"https://example.com/\"}";
        byte[] largest = utf8(body + " ".repeat(65_536 - body.length()));
        byte[] larger = utf8(body + " ".repeat(65_537 - body.length()));

        assertThat(BODIES.create(largest, NOW)).isInstanceOf(Valid.class);
        assertThat(BODIES.create(larger, NOW)).isEqualTo(new TooLarge<>());
        assertThat(BODIES.change(larger, NOW)).isEqualTo(new TooLarge<>());
        assertThat(BODIES.reason(larger)).isEqualTo(new TooLarge<>());
        assertThat(BODIES.confirm(larger)).isEqualTo(new TooLarge<>());
    }

    @Test
    void survivesBodiesBuiltToExhaustIt() {
        for (String hostile :
                List.of(
                        "[".repeat(65_536),
                        "{\"tags\":".repeat(8_000),
                        "{\"visit_limit\":" + "9".repeat(65_000) + "}",
                        "{\"visit_limit\":1e" + "9".repeat(60) + "}",
                        "{\"long_url\":\"https://" + "\u00ad".repeat(32_000) + "\"}",
                        "{\"long_url\":\"https://e.example/" + "%0".repeat(30_000) + "\"}",
                        "{\"expires_at\":\"" + "9".repeat(65_000) + "\"}",
                        "{\"tags\":[" + "1,".repeat(32_000) + "1]}")) {
            assertThat(createReading(hostile)).isInstanceOf(Rejected.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "long_url | null",
                "long_url | 1",
                "long_url | true",
                "long_url | []",
                "long_url | {}",
                "long_url | [\"https://example.com/\"]",
                "long_url | \"\"",
                "long_url | \"https://short.example/x\"",
                "long_url | \"https://example.com/\\ud83e\"",
                "long_url | \"https://example.com/\\u0000\"",
                "alias | 123",
                "alias | true",
                "alias | [\"abc\"]",
                "alias | {\"a\":1}",
                "alias | \"\"",
                "alias | \"ab\"",
                "alias | \"abcdefghijklmnopqrstuvwxyz0123456\"",
                "alias | \"a b\"",
                "alias | \"abc.\"",
                "alias | \"abc+\"",
                "alias | \"a/b\"",
                "alias | \"\u00e4bc\"",
                "alias | \"abc\\n\"",
                "alias | \"\uff41bc\"",
                "alias | \"healthz\"",
                "alias | \"HEALTHZ\"",
                "alias | \"Dashboard\"",
                "alias | \"metrics\"",
                "alias | \"readyz\"",
                "alias | \"openapi\"",
                "alias | \"RoBoTs\"",
                "alias | \"favicon\"",
                "alias | \"STATIC\"",
                "alias | \"ADMIN\"",
                "alias | \"api\"",
                "alias | \"assets\"",
                "visit_limit | 0",
                "visit_limit | -0",
                "visit_limit | -1",
                "visit_limit | 1000000001",
                "visit_limit | 1.0",
                "visit_limit | 1.5",
                "visit_limit | 1e3",
                "visit_limit | 1E3",
                "visit_limit | \"5\"",
                "visit_limit | true",
                "visit_limit | []",
                "visit_limit | 9223372036854775808",
                "visit_limit | 18446744073709551617",
                "visit_limit | 4294967297000",
                "owner | \"\"",
                "owner | 1",
                "owner | [\"a\"]",
                "owner | \"a b\"",
                "owner | \"a/b\"",
                "owner | \"a\\n\"",
                "owner | \"\u00e4\"",
                "owner | \"a,b\"",
                "owner | \"01234567890123456789012345678901234567890123456789012345678901234\"",
                "tags | \"a\"",
                "tags | {}",
                "tags | 1",
                "tags | true",
                "tags[0] | [\"\"]",
                "tags[0] | [1]",
                "tags[0] | [null]",
                "tags[0] | [[]]",
                "tags[0] | [{\"a\":\"b\"}]",
                "tags[1] | [\"a\",\"b c\"]",
                "tags[2] | [\"a\",\"b\",\"a\"]",
                "tags[3] | [\"a\",\"b\",\"c\",4]",
                "tags[0] | [\"01234567890123456789012345678901234567890123456789012345678901234\"]",
                "expires_at | 1",
                "expires_at | 1764583200000",
                "expires_at | true",
                "expires_at | []",
                "expires_at | \"\"",
            })
    void namesTheFieldAtFault(String field, String value) {
        String name = field.replaceFirst("\\[.*", "");
        String start = name.equals("long_url") ? "{" : "{\"long_url\":\"https://example.com/\",";

        assertRejected(createReading(start + "\"" + name + "\":" + value + "}"), field);
    }

    @Test
    void missesTheDestination() {
        assertRejected(createReading("{}"), "long_url");
        assertRejected(createReading("{\"alias\":\"abc\"}"), "long_url");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1000000000"})
    void takesVisitLimitsUpToBothBounds(String limit) {
        assertThat(
                        create(
                                        "{\"long_url\":\"https://example.com/\",\"visit_limit\":"
                                                + limit
                                                + "}")
                                .visitLimit())
                .hasValue(Long.parseLong(limit));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc",
                "ABC",
                "___",
                "---",
                "0123456789abcdefghijklmnopqrstuv",
                "healthzz",
                "v1v",
                "dash_board"
            })
    void takesAliasesOfTheFormOfACode(String alias) {
        assertThat(
                        create(
                                        "{\"long_url\":\"https://example.com/\",\"alias\":\""
                                                + alias
                                                + "\"}")
                                .alias())
                .contains(new ShortCode(alias));
    }

    @Test
    void takesUpToTwentyTags() {
        assertThat(
                        create("{\"long_url\":\"https://example.com/\",\"tags\":" + tags(20) + "}")
                                .tags())
                .hasSize(20);
        assertRejected(
                createReading("{\"long_url\":\"https://example.com/\",\"tags\":" + tags(21) + "}"),
                "tags");
    }

    private static String tags(int count) {
        return IntStream.range(0, count)
                .mapToObj("\"tag-%d\""::formatted)
                .collect(Collectors.joining(",", "[", "]"));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-12-01T10:00:00.001Z, 2026-12-01T10:00:00.001Z",
        "2026-12-01T10:00:01Z, 2026-12-01T10:00:01Z",
        "2026-12-01t10:00:01z, 2026-12-01T10:00:01Z",
        "2026-12-01T10:00:01.5Z, 2026-12-01T10:00:01.5Z",
        "2026-12-01T10:00:01.123456789Z, 2026-12-01T10:00:01.123Z",
        "2026-12-01T10:00:01.9999Z, 2026-12-01T10:00:01.999Z",
        "2026-12-01T15:30:01+05:30, 2026-12-01T10:00:01Z",
        "2026-12-01T02:00:01-08:00, 2026-12-01T10:00:01Z",
        "2026-12-01T10:00:01+00:00, 2026-12-01T10:00:01Z",
        "2026-12-01T10:00:01-00:00, 2026-12-01T10:00:01Z",
        "2026-12-02T04:00:01+18:00, 2026-12-01T10:00:01Z",
        "2028-02-29T00:00:00Z, 2028-02-29T00:00:00Z",
        "2286-11-20T17:46:39.999Z, 2286-11-20T17:46:39.999Z",
    })
    void readsTimesWithAnOffsetToTheMillisecond(String text, Instant expected) {
        assertThat(
                        create(
                                        "{\"long_url\":\"https://example.com/\",\"expires_at\":\""
                                                + text
                                                + "\"}")
                                .expiresAt())
                .contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // no offset, or not quite one
                "2027-01-01T00:00:00",
                "2027-01-01",
                "2027-01-01T00:00:00+01",
                "2027-01-01T00:00:00+0100",
                "2027-01-01T00:00:00+1:00",
                "2027-01-01T00:00:00+01:00:00",
                "2027-01-01T00:00:00 Z",
                "2027-01-01T00:00:00UTC",
                "2027-01-01T00:00:00GMT+1",
                "2027-01-01T00:00:00Z[UTC]",
                "2027-01-01T00:00:00+19:00",
                "2027-01-01T00:00:00+24:00",
                "2027-01-01T00:00:00+01:60",
                "2027-01-01T00:00:00\u221201:00",
                // another form
                "2027-01-01 00:00:00Z",
                "2027-01-01T00:00Z",
                "2027-01-01T0:00:00Z",
                "2027-1-1T00:00:00Z",
                "20270101T000000Z",
                "2027-W01-1T00:00:00Z",
                "2027-001T00:00:00Z",
                "27-01-01T00:00:00Z",
                "+2027-01-01T00:00:00Z",
                "12027-01-01T00:00:00Z",
                "-2027-01-01T00:00:00Z",
                "2027-01-01T00:00:00,5Z",
                "2027-01-01T00:00:00.Z",
                "2027-01-01T00:00:00.1234567890Z",
                " 2027-01-01T00:00:00Z",
                "2027-01-01T00:00:00Z ",
                "2027-01-01T00:00:00Zx",
                "Fri, 01 Jan 2027 00:00:00 GMT",
                "1798761600",
                "\uff12\uff10\uff12\uff17-01-01T00:00:00Z",
                "\u0662\u0660\u0662\u0667-01-01T00:00:00Z",
                "tomorrow",
                // no such time
                "2027-02-29T00:00:00Z",
                "2027-13-01T00:00:00Z",
                "2027-00-01T00:00:00Z",
                "2027-01-32T00:00:00Z",
                "2027-04-31T00:00:00Z",
                "2027-01-00T00:00:00Z",
                "2027-01-01T24:00:00Z",
                "2027-01-01T25:00:00Z",
                "2027-01-01T00:60:00Z",
                "2026-12-31T23:59:60Z",
                "2027-01-01T00:00:61Z",
                // not the future, or too much of it
                "2026-12-01T10:00:00Z",
                "2026-12-01T10:00:00.000999Z",
                "2026-12-01T09:59:59.999Z",
                "2026-12-01T11:00:00+01:00",
                "1970-01-01T00:00:00Z",
                "0000-01-01T00:00:00Z",
                "2286-11-20T17:46:40Z",
                "9999-12-31T23:59:59Z"
            })
    void refusesTimesWithoutOffsetOrOutOfBounds(String text) {
        assertRejected(
                createReading(
                        "{\"long_url\":\"https://example.com/\",\"expires_at\":\"" + text + "\"}"),
                "expires_at");
        assertRejected(change("{\"expires_at\":\"" + text + "\"}"), "expires_at");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "Phishing, reported by B\u00f6rse",
                "\ud83e\udea6",
                "\u0628\u0644\u0627\u063a",
                " a ",
                "\\\"quoted\\\\"
            })
    void readsReasons(String reason) {
        assertThat(BODIES.reason(utf8("{\"reason\":\"" + reason + "\"}")))
                .isEqualTo(
                        new Valid<>(
                                new Reason(reason.replace("\\\"", "\"").replace("\\\\", "\\"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "1",
                "[\"x\"]",
                "\"\"",
                "\" \"",
                "\"\\t\"",
                "\"\u00a0\u2003\u3000\"",
                "\"\u200b\u2060\ufeff\"",
                "\"a\\nb\"",
                "\"a\\u0000\"",
                "\"a\\u007f\"",
                "\"a\\u0085\"",
                "\"a\\u2028\"",
                "\"a\\u2029\"",
                "\"a\\ud83e\"",
                "\"\\udea6a\""
            })
    void refusesReasonsThatSayNothingOrMoreThanALine(String reason) {
        assertRejected(BODIES.reason(utf8("{\"reason\":" + reason + "}")), "reason");
    }

    @Test
    void countsTheCharactersOfAReasonNotItsUnits() {
        String longest = "\ud83e\udea6".repeat(500);

        assertThat(BODIES.reason(utf8("{\"reason\":\"" + longest + "\"}")))
                .isEqualTo(new Valid<>(new Reason(longest)));
        assertRejected(BODIES.reason(utf8("{\"reason\":\"" + longest + "a\"}")), "reason");
        assertThatThrownBy(() -> new Reason("a".repeat(501)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("500");
    }

    @Test
    void asksForAReason() {
        assertRejected(BODIES.reason(utf8("{}")), "reason");
        assertRejected(BODIES.reason(utf8("")), null);
        assertRejected(BODIES.reason(utf8("{\"reason\":\"x\",\"actor\":\"root\"}")), "actor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", " {\n} "})
    void readsAConfirmWithNothingInIt(String body) {
        assertThat(BODIES.confirm(utf8(body))).isEqualTo(new Valid<>(new ConfirmRequest()));
    }

    @Test
    void refusesAConfirmWithAnythingInIt() {
        assertRejected(BODIES.confirm(utf8("{\"reason\":\"x\"}")), "reason");
        assertRejected(BODIES.confirm(utf8("null")), null);
        assertRejected(BODIES.confirm(utf8("[]")), null);
        assertRejected(BODIES.confirm(utf8(" ")), null);
        assertRejected(BODIES.confirm(utf8("{}{}")), null);
    }

    @Test
    void readsChangesOfState() {
        assertThat(change("{\"state\":\"deactivated\"}"))
                .isEqualTo(new Valid<>(new ChangeRequest.Deactivate()));
        assertThat(change("{\"state\":\"active\"}"))
                .isEqualTo(new Valid<>(new ChangeRequest.Reactivate()));
    }

    @Test
    void readsChangesOfParticulars() {
        Instant end = Instant.parse("2027-01-01T00:00:00Z");

        assertThat(change("{\"expires_at\":\"2027-01-01T00:00:00Z\"}"))
                .isEqualTo(new Valid<>(alter(new ChangeRequest.ExpireAt(end), null)));
        assertThat(change("{\"expires_at\":null}"))
                .isEqualTo(new Valid<>(alter(new ChangeRequest.NeverExpire(), null)));
        assertThat(change("{\"tags\":[]}"))
                .isEqualTo(new Valid<>(alter(new ChangeRequest.KeepExpiry(), List.of())));
        assertThat(change("{\"tags\":[\"a\"],\"expires_at\":null}"))
                .isEqualTo(new Valid<>(alter(new ChangeRequest.NeverExpire(), List.of("a"))));
    }

    private static ChangeRequest alter(ChangeRequest.Expiry expiry, @Nullable List<String> tags) {
        return new ChangeRequest.Alter(expiry, Optional.ofNullable(tags));
    }

    @Test
    void appliesAChangeOfExpiry() {
        Optional<Instant> current = Optional.of(NOW);
        Instant end = NOW.plusSeconds(1);

        assertThat(new ChangeRequest.KeepExpiry().after(current)).isEqualTo(current);
        assertThat(new ChangeRequest.NeverExpire().after(current)).isEmpty();
        assertThat(new ChangeRequest.ExpireAt(end).after(current)).contains(end);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            nullValues = "none",
            value = {
                "none | ``",
                "none | {}",
                "none | []",
                "state | {\"state\":null}",
                "state | {\"state\":\"ACTIVE\"}",
                "state | {\"state\":\"taken_down\"}",
                "state | {\"state\":true}",
                "state | {\"state\":\"\"}",
                "state | {\"state\":\"active\",\"tags\":[]}",
                "state | {\"expires_at\":null,\"state\":\"active\"}",
                "tags | {\"tags\":null}",
                "tags[0] | {\"tags\":[\"\"]}",
                "tags | {\"expires_at\":null,\"tags\":\"a\"}",
                "reason | {\"state\":\"active\",\"reason\":\"x\"}",
                "long_url | {\"long_url\":\"https://example.com/\"}",
                "owner | {\"owner\":\"a\"}",
                "visit_limit | {\"visit_limit\":5}",
            })
    void refusesOtherChanges(@Nullable String field, String body) {
        assertRejected(change(body), field);
    }

    @Test
    void readsIdempotencyKeysOfVisibleAscii() {
        for (String key :
                List.of("a", "!~", "8e03978e-40d5-43e8-bc93-6894a57f9324", "x".repeat(255))) {
            assertThat(IdempotencyKey.read(key)).isEqualTo(new Valid<>(new IdempotencyKey(key)));
        }
        for (String key :
                List.of("", " ", "a b", "a\t", "\u00e4", "a\0", "\u007f", "x".repeat(256))) {
            assertRejected(IdempotencyKey.read(key), "Idempotency-Key");
            assertThatThrownBy(() -> new IdempotencyKey(key))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void carriesNoDestinationIntoLogs() {
        assertThat(create("{\"long_url\":\"https://example.com/?token=secret\"}").toString())
                .doesNotContain("secret");
    }

    @Property(tries = 1_000)
    void answersAnyBytes(@ForAll @Size(max = 200) byte[] body) {
        answers(body);
    }

    @Property(tries = 2_000)
    void answersADamagedBody(@ForAll int position, @ForAll byte damage) {
        byte[] body =
                utf8(
                        """
                        {"long_url": "https://bücher.example/é?a=b#c", "alias": "My_alias-1", "expires_at":
                        "2027-12-01T12:00:00.0019+01:00", "visit_limit": 12, "owner": "o", "tags": ["b", "a"]}""");
        body[Math.floorMod(position, body.length)] = damage;

        answers(body);
    }

    private static void answers(byte[] body) {
        Stream.of(
                        BODIES.create(body, NOW),
                        BODIES.change(body, NOW),
                        BODIES.reason(body),
                        BODIES.confirm(body))
                .forEach(
                        reading -> {
                            switch (reading) {
                                case Valid<?> _, TooLarge<?> _ -> {}
                                case Rejected<?>(_, String why) ->
                                        assertThat(why)
                                                .hasSizeBetween(10, 200)
                                                .doesNotContain("\n");
                            }
                        });
    }

    private static CreateRequest create(String body) {
        Reading<CreateRequest> reading = createReading(body);
        assertThat(reading).isInstanceOf(Valid.class);
        return ((Valid<CreateRequest>) reading).value();
    }

    private static Reading<CreateRequest> createReading(String body) {
        return BODIES.create(utf8(body), NOW);
    }

    private static Reading<ChangeRequest> change(String body) {
        return BODIES.change(utf8(body), NOW);
    }

    private static void assertRejected(Reading<?> reading, @Nullable String field) {
        assertThat(reading).isInstanceOf(Rejected.class);
        assertThat(((Rejected<?>) reading).field()).isEqualTo(field);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] latin1(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
