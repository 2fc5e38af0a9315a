package dev.headstone.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class AuditEventTest {
    @ParameterizedTest
    @EnumSource
    void theIdOfACommittedChangeFollowsFromWhatChanged(AuditType type) {
        if (!type.concernsOneLink()) {
            return;
        }
        AuditEvent event = committed(type, "abc", 1_790_000_000_000L, 2);

        assertThat(event.eventId())
                .isEqualTo("committed.abc.1790000000000.2." + type.wireName())
                .isEqualTo(committed(type, "abc", 1_790_000_000_000L, 2).eventId());
        assertThat(event.outcome()).isEqualTo(AuditOutcome.COMMITTED);
    }

    @Property
    void theIdOfACommittedChangeIsOneThatSqsTakes(
            @ForAll @AlphaChars @NumericChars @Chars({'-', '_'}) @StringLength(min = 3, max = 32)
                    String code,
            @ForAll @LongRange(min = 0) long epoch,
            @ForAll @LongRange(min = 0) long version,
            @ForAll AuditType type) {
        if (type.concernsOneLink()) {
            assertThat(committed(type, code, epoch, version).eventId())
                    .matches("[A-Za-z0-9._-]{1,128}");
        }
    }

    @Test
    void aReasonIsMeasuredInCharactersThatPeopleCount() {
        String longest = "\ud83e\udea6".repeat(AuditEvent.LONGEST_REASON);

        assertThat(event("e", 1, 1, "a", longest, true).reason()).contains(longest);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> event("e", 1, 1, "a", longest + "x", true))
                .withMessageContaining("reason");
    }

    @Test
    void committedChangesThatDifferInAnythingHaveDifferentIds() {
        Set<String> ids = new HashSet<>();

        ids.add(committed(AuditType.LINK_CREATED, "abc", 1, 23).eventId());
        ids.add(committed(AuditType.LINK_CREATED, "abC", 1, 23).eventId());
        ids.add(committed(AuditType.LINK_CREATED, "abc", 12, 3).eventId());
        ids.add(committed(AuditType.LINK_CREATED, "abc", 1, 2).eventId());
        ids.add(committed(AuditType.LINK_CHANGED, "abc", 1, 23).eventId());

        assertThat(ids).hasSize(5);
    }

    @Test
    void isKeptToTheMillisecond() {
        AuditEvent event = AuditEvents.takedown("e-1", "abc", 2);

        assertThat(withAt(event, Instant.parse("2026-11-30T12:00:00.123999999Z"))).isEqualTo(event);
    }

    @ParameterizedTest(name = "{0} is refused")
    @CsvSource({
        "event_id, an empty id",
        "event_id, an id with a space",
        "event_id, an id of 129 characters",
        "epoch, -1",
        "version, -1",
        "actor, empty",
        "actor, 257 characters",
        "reason, empty",
        "reason, 501 characters",
        "short_code, missing"
    })
    void whatIsOutOfBoundsIsRefusedByName(String field, String fault) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> spoilt(field + ": " + fault))
                .withMessageStartingWith(field);
    }

    private static AuditEvent spoilt(String how) {
        return switch (how) {
            case "event_id: an empty id" -> event("", 1, 1, "a", "r", true);
            case "event_id: an id with a space" -> event("a b", 1, 1, "a", "r", true);
            case "event_id: an id of 129 characters" ->
                    event("a".repeat(129), 1, 1, "a", "r", true);
            case "epoch: -1" -> event("e", -1, 1, "a", "r", true);
            case "version: -1" -> event("e", 1, -1, "a", "r", true);
            case "actor: empty" -> event("e", 1, 1, "", "r", true);
            case "actor: 257 characters" -> event("e", 1, 1, "a".repeat(257), "r", true);
            case "reason: empty" -> event("e", 1, 1, "a", "", true);
            case "reason: 501 characters" -> event("e", 1, 1, "a", "r".repeat(501), true);
            case "short_code: missing" -> event("e", 1, 1, "a", "r", false);
            default -> throw new AssertionError(how);
        };
    }

    @Test
    void whatIsJustWithinBoundsIsNot() {
        assertThatNoException()
                .isThrownBy(
                        () -> event("!".repeat(128), 0, 0, "a".repeat(256), "r".repeat(500), true));
    }

    @Test
    void aDetailIsSmall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuditDetail.none().with("long", "x".repeat(2_049)))
                .withMessageContaining("long");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AuditDetail.none().with("Not a name", 1))
                .withMessageStartingWith("detail");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> numbered(17))
                .withMessageStartingWith("detail");
        assertThat(numbered(16).entries()).hasSize(16);
    }

    @Test
    void aDetailKnowsItsEntriesAndNotTheirOrder() {
        AuditDetail one = AuditDetail.none().with("host", "a.example").with("count", 3);
        AuditDetail other = AuditDetail.none().with("count", 3).with("host", "a.example");

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString(other.toString());
        assertThat(one.with("count", 4)).isNotEqualTo(one);
        assertThat(one.isEmpty()).isFalse();
        assertThat(AuditDetail.none().isEmpty()).isTrue();
    }

    private static AuditDetail numbered(int entries) {
        UnaryOperator<AuditDetail> next = detail -> detail.with("n" + detail.entries().size(), 1);
        AuditDetail detail = AuditDetail.none();
        for (int i = 0; i < entries; i++) {
            detail = next.apply(detail);
        }
        return detail;
    }

    private static AuditEvent committed(AuditType type, String code, long epoch, long version) {
        return AuditEvent.committed(
                type,
                new ShortCode(code),
                epoch,
                version,
                "alice",
                Optional.empty(),
                AuditEvents.AT,
                AuditDetail.none());
    }

    private static AuditEvent event(
            String id, long epoch, long version, String actor, String reason, boolean withCode) {
        return new AuditEvent(
                id,
                AuditType.LINK_TAKEN_DOWN,
                AuditOutcome.SUCCESS,
                withCode ? Optional.of(new ShortCode("abc")) : Optional.empty(),
                epoch,
                version,
                actor,
                Optional.of(reason),
                AuditEvents.AT,
                AuditDetail.none());
    }

    private static AuditEvent withAt(AuditEvent event, Instant at) {
        return new AuditEvent(
                event.eventId(),
                event.type(),
                event.outcome(),
                event.shortCode(),
                event.epoch(),
                event.version(),
                event.actor(),
                event.reason(),
                at,
                event.detail());
    }
}
