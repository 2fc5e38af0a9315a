package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.auditlog.AuditAnswer.Found;
import dev.headstone.auditlog.AuditAnswer.Rejected;
import dev.headstone.auditlog.AuditAnswer.Unavailable;
import dev.headstone.auditlog.LogEntry.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AuditReaderTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SettableClock clock = new SettableClock(Bodies.AT);
    private final InMemoryAuditLog log = new InMemoryAuditLog(clock);
    private final AuditReader reader = new AuditReader(log);

    @Test
    void showsAnEventWithItsPlaceInTheChain() {
        log.append(Bodies.takedown("e-1", "abc"));
        String hash = ChainHash.of(ChainHash.NONE, 1, Bodies.takedown("e-1", "abc").body());

        assertThat(page("abc", null, null, null).toString())
                .isEqualTo(
                        """
                        {"events":[{"event_id":"e-1","type":"link.taken_down","outcome":"success",\
                        "short_code":"abc","epoch":1790000000000,"version":2,"actor":"alice",\
                        "reason":"phishing","at":"2026-11-30T12:00:00.123Z","seq":1,\
                        "prev_hash":"%s","hash":"%s"}]}"""
                                .formatted(ChainHash.NONE, hash));
    }

    @Test
    void showsWhatANewerProducerSentAndDoesNotLetItForgeItsPlace() {
        log.append(
                ReceivedEvent.read(
                        """
                        {"event_id":"e-1","type":"link.renamed","outcome":"success","short_code":"abc",\
                        "epoch":1,"version":2,"actor":"\u0130pek","at":"2026-11-30T12:00:00.123456789Z",\
                        "weight":1.50,"big":123456789012345678901234567890,"seq":99,"hash":"forged"}"""));

        JsonNode event = page("abc", null, null, null).at("/events/0");

        assertThat(event.toString())
                .contains("\"at\":\"2026-11-30T12:00:00.123456789Z\"")
                .contains("\"seq\":1,")
                .contains("\u0130pek");
        assertThat(event.get("hash").textValue()).hasSize(64);
        assertThat(((Found) reader.page(query("abc", null, null, null))).json())
                .contains("\"weight\":1.50,")
                .contains("\"big\":123456789012345678901234567890,");
    }

    @Test
    void showsTheOthersBesideAnEventThatSomebodySpoilt() {
        log.append(Bodies.takedown("e-1", "abc"));
        log.append(Bodies.takedown("e-2", "abc"));
        log.put(new Event("abc", 1, "", "", "", Bodies.AT));

        assertThat(page("abc", null, null, null).at("/events/0").toString())
                .isEqualTo("{\"short_code\":\"abc\",\"seq\":1,\"prev_hash\":\"\",\"hash\":\"\"}");
        assertThat(ids(page("abc", null, null, null))).containsExactly("", "e-2");
    }

    @Test
    void leadsThroughAChainPageByPage() {
        IntStream.range(0, 10).forEach(i -> log.append(Bodies.takedown("e-" + i, "abc")));
        log.append(Bodies.takedown("other", "xyz"));

        assertThat(allPages("abc", null, "3"))
                .containsExactly(
                        "e-0", "e-1", "e-2", "e-3", "e-4", "e-5", "e-6", "e-7", "e-8", "e-9");
    }

    @Test
    void leadsThroughTheWholeLogPageByPageOldestFirst() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofHours(7));
            ids.add("e-" + i);
            log.append(Bodies.takedown("e-" + i, i % 2 == 0 ? "xyz" : "abc"));
        }

        assertThat(allPages(null, null, "3")).isEqualTo(ids);
        assertThat(allPages(null, "2026-12-01T12:00:00.123+05:00", "3"))
                .isEqualTo(ids.subList(2, 10));
        assertThat(allPages("abc", "2026-12-01T12:00:00.123Z", "3"))
                .containsExactly("e-3", "e-5", "e-7", "e-9");
    }

    @Test
    void givesAHundredUnlessAskedForMore() {
        IntStream.range(0, 120).forEach(i -> log.append(Bodies.takedown("e-" + i, "abc")));

        assertThat(page("abc", null, null, null).get("events")).hasSize(100);
        assertThat(page("abc", null, "1000", null).get("events")).hasSize(120);
        assertThat(page("abc", null, "1000", null).has("cursor")).isFalse();
    }

    @Test
    void findsNothingAboutALinkThatNeverWas() {
        assertThat(page("none", null, null, null).toString()).isEqualTo("{\"events\":[]}");
        assertThat(page(null, null, null, null).toString()).isEqualTo("{\"events\":[]}");
    }

    @Test
    void showsWhatIsAboutNoLinkUnderANameOfItsOwn() {
        log.append(Bodies.hostBlocked("e-1"));

        assertThat(ids(page(":host", null, null, null))).containsExactly("e-1");
        assertThat(page(":host", null, null, null).at("/events/0").has("short_code")).isFalse();
    }

    @ParameterizedTest(name = "{0}={1} is refused")
    @CsvSource({
        "limit, 0",
        "limit, 1001",
        "limit, -1",
        "limit, ten",
        "limit, 99999999999",
        "limit, ''",
        "limit, ١",
        "since, yesterday",
        "since, 2026-11-30",
        "since, 2026-11-30T12:00:00",
        "since, +100000-01-01T00:00:00Z",
        "since, -0001-01-01T00:00:00Z",
        "code, ab",
        "code, 'a b c'",
        "code, #days",
        "code, #id:e-1",
        "code, :HOST",
        "cursor, ''",
        "cursor, x",
        "cursor, '%%%'",
        "cursor, AAAA"
    })
    void namesTheParameterAtFault(String field, String value) {
        AuditAnswer answer =
                reader.page(
                        query(
                                field.equals("code") ? value : null,
                                field.equals("since") ? value : null,
                                field.equals("limit") ? value : null,
                                field.equals("cursor") ? value : null));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.field()).isEqualTo(field));
    }

    @Test
    void refusesTheCursorOfAnotherList() {
        IntStream.range(0, 3).forEach(i -> log.append(Bodies.takedown("a-" + i, "abc")));
        IntStream.range(0, 3).forEach(i -> log.append(Bodies.takedown("x-" + i, "xyz")));
        String ofChain = page("abc", null, "1", null).get("cursor").textValue();
        String ofAll = page(null, null, "1", null).get("cursor").textValue();

        assertThat(reader.page(query("xyz", null, null, ofChain))).isEqualTo(badCursor());
        assertThat(reader.page(query(null, null, null, ofChain))).isEqualTo(badCursor());
        assertThat(reader.page(query("abc", null, null, ofAll))).isEqualTo(badCursor());
        assertThat(reader.page(query("abc", null, null, "a".repeat(100_000))))
                .isEqualTo(badCursor());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time 2026-11-30T12:00:00.123Z#abc#0000000000000000001 ",
                "time 2026-02-30T12:00:00.123Z#abc#0000000000000000001",
                "time 2026-11-30T12:00:00.123Z",
                "time ",
                "chain abc 1"
            })
    void refusesACursorThatNobodyGave(String place) {
        String cursor =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(place.getBytes(StandardCharsets.UTF_8));

        assertThat(reader.page(query(null, null, null, cursor))).isEqualTo(badCursor());
    }

    @Test
    void verifiesTheLogOrAChain() {
        log.append(Bodies.takedown("e-1", "abc"));
        log.append(Bodies.takedown("e-2", "xyz"));
        log.remove(new LogEntry.Place("xyz", 1));

        assertThat(reader.verify(Optional.empty()))
                .isEqualTo(
                        new Found(
                                """
                                {"ok":false,"links":1,"events":1,"faults":[\
                                {"code":"xyz","kind":"truncated","seq":1}]}"""));
        assertThat(reader.verify(Optional.of("abc")))
                .isEqualTo(new Found("{\"ok\":true,\"links\":1,\"events\":1,\"faults\":[]}"));
        assertThat(reader.verify(Optional.of("a b")))
                .isEqualTo(new Rejected("code", "not the form of a code"));
    }

    @Test
    void saysSoWhenTheLogCannotBeRead() {
        log.unreachable();

        assertThat(reader.page(query(null, null, null, null))).isInstanceOf(Unavailable.class);
        assertThat(reader.page(query("abc", null, null, null))).isInstanceOf(Unavailable.class);
        assertThat(reader.verify(Optional.empty())).isInstanceOf(Unavailable.class);
    }

    private List<String> allPages(
            @Nullable String code, @Nullable String since, @Nullable String limit) {
        List<String> ids = new ArrayList<>();
        JsonNode page = page(code, since, limit, null);
        ids.addAll(ids(page));
        while (page.has("cursor")) {
            page = page(code, since, limit, page.get("cursor").textValue());
            assertThat(page.get("events")).isNotEmpty();
            ids.addAll(ids(page));
        }
        return ids;
    }

    private JsonNode page(
            @Nullable String code,
            @Nullable String since,
            @Nullable String limit,
            @Nullable String cursor) {
        AuditAnswer answer = reader.page(query(code, since, limit, cursor));
        assertThat(answer).isInstanceOf(Found.class);
        try {
            return JSON.readTree(((Found) answer).json());
        } catch (JsonProcessingException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static AuditQuery query(
            @Nullable String code,
            @Nullable String since,
            @Nullable String limit,
            @Nullable String cursor) {
        return new AuditQuery(
                Optional.ofNullable(code),
                Optional.ofNullable(since),
                Optional.ofNullable(limit),
                Optional.ofNullable(cursor));
    }

    private static Rejected badCursor() {
        return new Rejected("cursor", "not a cursor of this list");
    }

    private static List<String> ids(JsonNode page) {
        return StreamSupport.stream(page.get("events").spliterator(), false)
                .map(event -> event.path("event_id").asText())
                .toList();
    }
}
