package dev.headstone.writer;

import static dev.headstone.writer.Workshop.CODE;
import static dev.headstone.writer.Workshop.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.AuditType;
import dev.headstone.audit.Trace;
import dev.headstone.cache.CacheRecord;
import dev.headstone.link.Link;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A takedown in two halves: the death in the table, and what the invalidation makes of it. */
final class ConfirmDeathTest {
    private static final String ACTOR = "arn:aws:iam::123456789012:user/ann";

    private final Workshop workshop = new Workshop();
    private final TableTakedown table =
            new TableTakedown(workshop.table, workshop.clock, new Random(7));

    private Death makeDead() {
        return table.takeDown(CODE, Workshop.REASON, ACTOR)
                        instanceof TableTakedown.Result.Made(Death death)
                ? death
                : fail();
    }

    private static Death fail() {
        throw new AssertionError("not made");
    }

    @Test
    void theDeathIsInTheTableAndNowhereElseBeforeItIsConfirmed() {
        workshop.givenLive();

        Death death = makeDead();

        assertThat(death).isEqualTo(new Death(CODE, workshop.stored().epoch(), 2, NOW));
        assertThat(workshop.stored().isDead()).isTrue();
        assertThat(workshop.table.deaths()).hasSize(1);
        assertThat(workshop.cache.record(CODE).orElseThrow())
                .isInstanceOf(CacheRecord.Active.class);
        assertThat(workshop.queue.events()).isEmpty();
    }

    @Test
    void aDeathIsConfirmedAndRecordedInTheNameOfWhoMadeIt() {
        workshop.givenLive();
        Death death = makeDead();

        ChangeResult result = workshop.changes.confirmDeath(death);

        assertThat(workshop.cache.record(CODE).map(CacheRecord::stamp)).contains(death.stamp());
        assertThat(workshop.queue.eventsOf(CODE))
                .singleElement()
                .returns(AuditType.LINK_TAKEN_DOWN, AuditEvent::type)
                .returns(AuditOutcome.SUCCESS, AuditEvent::outcome)
                .returns(ACTOR, AuditEvent::actor)
                .returns(Optional.of("phishing"), AuditEvent::reason);
        assertThat(result)
                .isInstanceOfSatisfying(
                        ChangeResult.Confirmed.class,
                        confirmed -> assertThat(confirmed.receipt().version()).isEqualTo(2));
    }

    @Test
    void aCacheThatIsAwayLeavesTheDeathUnconfirmed() {
        workshop.givenLive();
        Death death = makeDead();
        workshop.cache.unreachable(true);

        assertThat(workshop.changes.confirmDeath(death))
                .isInstanceOf(ChangeResult.InvalidateFailed.class);
        assertThat(workshop.audited()).containsExactly(AuditOutcome.INVALIDATE_FAILED);
    }

    @Test
    void aDeathThatWasUndoneMeanwhileIsSupersededAndHidesNothing() {
        workshop.givenLive();
        Death death = makeDead();
        workshop.changes.restore(CODE, Workshop.REASON, Workshop.BOB);

        assertThat(workshop.changes.confirmDeath(death))
                .isEqualTo(new ChangeResult.Superseded(Optional.of(workshop.stored())));
        assertThat(workshop.cache.record(CODE).orElseThrow())
                .isInstanceOf(CacheRecord.Active.class);
        assertThat(workshop.queue.events().getLast())
                .returns(AuditOutcome.SUPERSEDED, AuditEvent::outcome)
                .returns(2L, AuditEvent::version);
    }

    @Test
    void aDeathThatTheTableDoesNotHoldIsRefused() {
        Link live = workshop.givenLive();

        ChangeResult result =
                workshop.changes.confirmDeath(new Death(CODE, live.epoch(), 2, Instant.EPOCH));

        assertThat(result).isEqualTo(new ChangeResult.Refused(live, Ground.NOT_DEAD));
        assertThat(workshop.cache.record(CODE).orElseThrow())
                .isInstanceOf(CacheRecord.Active.class);
    }

    @Test
    void ofACodeThatIsGoneNothingStaysInTheCache() {
        Link live = workshop.givenLive();
        workshop.table.remove(CODE);

        assertThat(workshop.changes.confirmDeath(new Death(CODE, live.epoch(), 2, NOW)))
                .isEqualTo(new ChangeResult.NoSuchLink());
        assertThat(workshop.cache.record(CODE)).isEmpty();
    }

    @Test
    void aRepeatedTakedownByTheSameActorIsTheSameDeath() {
        workshop.givenLive();

        assertThat(makeDead()).isEqualTo(makeDead());
        assertThat(table.takeDown(CODE, Workshop.REASON, "arn:other"))
                .isEqualTo(
                        new TableTakedown.Result.Refused(
                                workshop.stored(), Ground.DONE_BY_ANOTHER));
    }

    @Test
    void aDeathWhoseReplyWasLostIsFoundAgain() {
        workshop.givenLive();
        workshop.table.loseNextReply();

        assertThat(makeDead().version()).isEqualTo(2);
        assertThat(workshop.table.deaths()).hasSize(1);
    }

    @Test
    void aTableThatIsAwayHasChangedNothing() {
        workshop.givenLive();
        workshop.table.failing(true);

        assertThat(table.takeDown(CODE, Workshop.REASON, ACTOR))
                .isInstanceOf(TableTakedown.Result.NotMade.class);
    }

    @Test
    void theTraceGoesWithTheChangeAndWithItsEvent() {
        workshop.givenLive();
        String root = "1-65a1b2c3-0123456789abcdef01234567";

        Trace.within(
                Trace.of("Root=" + root),
                () -> workshop.changes.takeDown(CODE, Workshop.REASON, Workshop.ALICE));

        assertThat(workshop.stored().lastChange().trace()).contains(root);
        assertThat(workshop.queue.events().getFirst().detail().entries())
                .containsEntry("trace_id", root);
    }
}
