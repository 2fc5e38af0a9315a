package dev.headstone.writer;

import static dev.headstone.writer.Workshop.ALICE;
import static dev.headstone.writer.Workshop.BOB;
import static dev.headstone.writer.Workshop.CODE;
import static dev.headstone.writer.Workshop.NOW;
import static dev.headstone.writer.Workshop.OLGA;
import static dev.headstone.writer.Workshop.OSCAR;
import static dev.headstone.writer.Workshop.REASON;
import static dev.headstone.writer.Workshop.RITA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.audit.AuditEvent;
import dev.headstone.audit.AuditOutcome;
import dev.headstone.audit.AuditType;
import dev.headstone.cache.CacheRecord;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.link.Standing;
import dev.headstone.table.Links;
import dev.headstone.writer.ChangeRequest.Alter;
import dev.headstone.writer.ChangeRequest.Deactivate;
import dev.headstone.writer.ChangeRequest.ExpireAt;
import dev.headstone.writer.ChangeRequest.KeepExpiry;
import dev.headstone.writer.ChangeRequest.NeverExpire;
import dev.headstone.writer.ChangeRequest.Reactivate;
import dev.headstone.writer.ChangeResult.AuditFailed;
import dev.headstone.writer.ChangeResult.Confirmed;
import dev.headstone.writer.ChangeResult.Forbidden;
import dev.headstone.writer.ChangeResult.InDoubt;
import dev.headstone.writer.ChangeResult.InvalidateFailed;
import dev.headstone.writer.ChangeResult.NoSuchLink;
import dev.headstone.writer.ChangeResult.NotMade;
import dev.headstone.writer.ChangeResult.Refused;
import dev.headstone.writer.ChangeResult.Superseded;
import dev.headstone.writer.ChangeResult.Unreadable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LinkChangesTest {
    private final Workshop workshop = new Workshop();
    private final LinkChanges changes = workshop.changes;

    @Test
    void aTakedownIsConfirmedOnceTableCacheAndAuditQueueHaveIt() {
        workshop.givenLive();

        Receipt receipt = confirmed(changes.takeDown(CODE, REASON, ALICE));

        assertThat(workshop.stored().standing()).isEqualTo(new Standing.Dead(Cause.TAKEDOWN, NOW));
        assertThat(workshop.cache.record(CODE).orElseThrow())
                .isInstanceOf(CacheRecord.Tombstone.class)
                .extracting(CacheRecord::stamp)
                .isEqualTo(workshop.stored().stamp());
        AuditEvent event = workshop.queue.eventsOf(CODE).getFirst();
        assertThat(receipt)
                .isEqualTo(new Receipt(CODE, LinkState.TAKEN_DOWN, 2, NOW, NOW, event.eventId()));
        assertThat(receipt.edgeClearAt()).isEqualTo(NOW.plusSeconds(6));
        assertThat(event)
                .returns(AuditType.LINK_TAKEN_DOWN, AuditEvent::type)
                .returns(AuditOutcome.SUCCESS, AuditEvent::outcome)
                .returns(2L, AuditEvent::version)
                .returns("alice", AuditEvent::actor)
                .returns(Optional.of("phishing"), AuditEvent::reason);
    }

    @Test
    void aTakedownTakesTheLeaseThenTheTableThenTheCacheThenTheQueue() {
        workshop.givenLive();
        workshop.interruptions.before(
                4, () -> assertThat(workshop.cache.calls()).contains("confirm abc write"));

        confirmed(changes.takeDown(CODE, REASON, ALICE));

        assertThat(workshop.interruptions.happened()).isTrue();
        assertThat(workshop.table.calls()).containsExactly("read abc", "change abc");
        assertThat(workshop.cache.calls()).containsExactly("force abc", "confirm abc write");
    }

    @Test
    void aTakedownTellsWhoWhenAndWhyAndWhenTheTableMayForgetIt() {
        workshop.givenLive();

        changes.takeDown(CODE, REASON, ALICE);

        assertThat(workshop.stored())
                .returns(Freshness.purgeOfDead(Cause.TAKEDOWN, NOW), Link::purgeAt)
                .extracting(Link::lastChange)
                .returns("alice", change -> change.by())
                .returns(NOW, change -> change.at())
                .returns(Optional.of("phishing"), change -> change.reason());
        assertThat(workshop.table.deaths()).hasSize(1);
    }

    @Test
    void deactivatedExhaustedAndExpiredLinksCanBeTakenDown() {
        workshop.givenDead(Cause.DEACTIVATED, "olga");
        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(3);

        workshop.givenDead(Cause.EXHAUSTED, "redirect");
        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(3);

        workshop.table.put(Links.expiring(CODE, NOW));
        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).state())
                .isEqualTo(LinkState.TAKEN_DOWN);
    }

    @Test
    void aRepeatedTakedownByTheSameActorConfirmsTheStoredOneAgain() {
        workshop.givenLive();
        Receipt first = confirmed(changes.takeDown(CODE, REASON, ALICE));
        workshop.cache.evict(CODE);
        workshop.clock.advance(Duration.ofMinutes(1));

        Receipt second = confirmed(changes.takeDown(CODE, new Reason("again"), ALICE));

        assertThat(second.version()).isEqualTo(first.version());
        assertThat(second.at()).isEqualTo(first.at());
        assertThat(second.confirmedAt()).isEqualTo(NOW.plusSeconds(60));
        assertThat(second.eventId()).isNotEqualTo(first.eventId());
        assertThat(workshop.cache.record(CODE).map(CacheRecord::stamp))
                .contains(workshop.stored().stamp());
        assertThat(workshop.table.deaths()).hasSize(1);
    }

    @Test
    void aTakedownByAnotherActorIsRefusedAndAudited() {
        Link dead = workshop.givenDead(Cause.TAKEDOWN, "alice");

        assertThat(changes.takeDown(CODE, REASON, BOB))
                .isEqualTo(new Refused(dead, Ground.DONE_BY_ANOTHER));
        assertThat(workshop.queue.eventsOf(CODE))
                .singleElement()
                .returns(AuditOutcome.REFUSED, AuditEvent::outcome)
                .returns("bob", AuditEvent::actor)
                .returns(2L, AuditEvent::version);
        assertThat(workshop.cache.calls()).as("no lease for a refusal").isEmpty();
    }

    @Test
    void confirmWritesTheTombstoneAgainForAnyOperator() {
        Link dead = workshop.givenDead(Cause.TAKEDOWN, "alice");

        Receipt receipt = confirmed(changes.confirm(CODE, BOB));

        assertThat(receipt)
                .returns(2L, Receipt::version)
                .returns(dead.lastChange().at(), Receipt::at)
                .returns(NOW, Receipt::confirmedAt);
        assertThat(workshop.cache.record(CODE).map(CacheRecord::stamp)).contains(dead.stamp());
        assertThat(workshop.stored()).isEqualTo(dead);
        assertThat(workshop.queue.eventsOf(CODE))
                .singleElement()
                .returns(AuditType.CACHE_CONFIRMED, AuditEvent::type)
                .returns("bob", AuditEvent::actor);
    }

    @Test
    void confirmOfALiveLinkIsRefused() {
        Link live = workshop.givenLive();

        assertThat(changes.confirm(CODE, ALICE)).isEqualTo(new Refused(live, Ground.NOT_DEAD));
        assertThat(workshop.audited()).containsExactly(AuditOutcome.REFUSED);
    }

    @Test
    void confirmOfALinkThatIsRestoredMeanwhileIsRefused() {
        workshop.givenDead(Cause.TAKEDOWN, "alice");
        workshop.interruptions.before(1, () -> changes.restore(CODE, REASON, BOB));

        assertThat(changes.confirm(CODE, ALICE))
                .isEqualTo(new Refused(workshop.stored(), Ground.NOT_DEAD));
    }

    @Test
    void aRestoredLinkIsInTheCacheAtOnce() {
        workshop.givenLive();
        changes.takeDown(CODE, REASON, ALICE);

        Receipt receipt = confirmed(changes.restore(CODE, new Reason("appeal"), BOB));

        assertThat(receipt).returns(3L, Receipt::version).returns(LinkState.ACTIVE, Receipt::state);
        assertThat(workshop.cache.record(CODE).orElseThrow())
                .isInstanceOf(CacheRecord.Active.class)
                .extracting(CacheRecord::stamp)
                .isEqualTo(workshop.stored().stamp());
        assertThat(workshop.stored().purgeAt()).isEmpty();
        assertThat(workshop.queue.eventsOf(CODE).getLast())
                .returns(AuditType.LINK_RESTORED, AuditEvent::type)
                .returns(Optional.of("appeal"), AuditEvent::reason);
    }

    @Test
    void aRepeatedRestoreByTheSameActorConfirmsTheStoredOneAgain() {
        workshop.givenDead(Cause.TAKEDOWN, "alice");
        Receipt first = confirmed(changes.restore(CODE, REASON, BOB));
        workshop.cache.evict(CODE);

        Receipt second = confirmed(changes.restore(CODE, REASON, BOB));

        assertThat(second.version()).isEqualTo(first.version());
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Active.class);
    }

    @Test
    void aRestoreOfWhatNobodyWouldSeeAfterwardsIsRefused() {
        Link live = workshop.givenLive();
        assertThat(changes.restore(CODE, REASON, ALICE))
                .isEqualTo(new Refused(live, Ground.NOT_DEAD));

        Link expired = Workshop.dead(Links.expiring(CODE, NOW), Cause.TAKEDOWN, "alice");
        workshop.table.put(expired);
        assertThat(changes.restore(CODE, REASON, ALICE))
                .isEqualTo(new Refused(expired, Ground.EXPIRED));

        Link used =
                Workshop.dead(Links.limited(CODE, 3).withVisits(3), Cause.EXHAUSTED, "redirect");
        workshop.table.put(used);
        assertThat(changes.restore(CODE, REASON, ALICE))
                .isEqualTo(new Refused(used, Ground.USED_UP));

        assertThat(workshop.audited()).containsOnly(AuditOutcome.REFUSED).hasSize(3);
    }

    @Test
    void anOwnerSwitchesTheOwnLinkOffAndOnAgain() {
        workshop.givenLive();

        assertThat(confirmed(changes.change(CODE, new Deactivate(), OLGA)))
                .returns(LinkState.DEACTIVATED, Receipt::state)
                .returns(2L, Receipt::version);
        assertThat(workshop.stored().purgeAt()).isEmpty();
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Tombstone.class);

        assertThat(confirmed(changes.change(CODE, new Reactivate(), OLGA)))
                .returns(LinkState.ACTIVE, Receipt::state)
                .returns(3L, Receipt::version);
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Active.class);
        assertThat(workshop.queue.eventsOf(CODE))
                .extracting(AuditEvent::type)
                .containsExactly(AuditType.LINK_DEACTIVATED, AuditType.LINK_REACTIVATED);
    }

    @Test
    void deactivatingAgainIsTheSameForTheSameActorAndRefusedToAnother() {
        workshop.givenLive();
        Receipt first = confirmed(changes.change(CODE, new Deactivate(), OLGA));

        assertThat(confirmed(changes.change(CODE, new Deactivate(), OLGA)).version())
                .isEqualTo(first.version());
        assertThat(changes.change(CODE, new Deactivate(), ALICE))
                .isEqualTo(new Refused(workshop.stored(), Ground.DONE_BY_ANOTHER));
    }

    @Test
    void whatWasTakenDownIsNotForItsOwnerToChange() {
        Link dead = workshop.givenDead(Cause.TAKEDOWN, "alice");

        for (ChangeRequest request :
                List.of(
                        new Deactivate(),
                        new Reactivate(),
                        new Alter(new NeverExpire(), Optional.of(List.of("x"))))) {
            assertThat(changes.change(CODE, request, OLGA))
                    .isEqualTo(new Refused(dead, Ground.TAKEN_DOWN));
            assertThat(changes.change(CODE, request, ALICE))
                    .isEqualTo(new Refused(dead, Ground.TAKEN_DOWN));
        }
        assertThat(workshop.stored()).isEqualTo(dead);
        assertThat(workshop.audited()).hasSize(6).containsOnly(AuditOutcome.REFUSED);
    }

    @Test
    void anExhaustedLinkIsNeitherSwitchedOffNorOn() {
        Link used =
                Workshop.dead(
                        Workshop.withOwner(Links.limited(CODE, 3).withVisits(3)),
                        Cause.EXHAUSTED,
                        "redirect");
        workshop.table.put(used);

        assertThat(changes.change(CODE, new Deactivate(), OLGA))
                .isEqualTo(new Refused(used, Ground.DEAD_ALREADY));
        assertThat(changes.change(CODE, new Reactivate(), OLGA))
                .isEqualTo(new Refused(used, Ground.USED_UP));
    }

    @Test
    void anAlterationLeavesNothingOlderInTheCache() {
        workshop.givenLive();
        var end = NOW.plusSeconds(90);

        Receipt receipt =
                confirmed(
                        changes.change(
                                CODE,
                                new Alter(new ExpireAt(end), Optional.of(List.of("spring"))),
                                OLGA));

        assertThat(receipt).returns(2L, Receipt::version).returns(LinkState.ACTIVE, Receipt::state);
        assertThat(workshop.stored())
                .returns(Optional.of(end), Link::expiresAt)
                .returns(List.of("spring"), Link::tags)
                .returns(Freshness.purgeOfLive(Optional.of(end)), Link::purgeAt);
        assertThat(workshop.cache.record(CODE)).isEmpty();
    }

    @Test
    void anAlterationOfADeadLinkLeavesItsTombstone() {
        Link dead = workshop.givenDead(Cause.DEACTIVATED, "olga");

        confirmed(
                changes.change(CODE, new Alter(new KeepExpiry(), Optional.of(List.of("x"))), OLGA));

        assertThat(workshop.stored())
                .returns(dead.standing(), Link::standing)
                .returns(dead.purgeAt(), Link::purgeAt);
        assertThat(workshop.cache.record(CODE).map(CacheRecord::stamp))
                .contains(workshop.stored().stamp());
    }

    @Test
    void anAlterationThatChangesNothingMakesNoVersion() {
        workshop.givenLive();

        Receipt receipt =
                confirmed(
                        changes.change(CODE, new Alter(new NeverExpire(), Optional.empty()), OLGA));

        assertThat(receipt.version()).isEqualTo(1);
        assertThat(workshop.table.calls()).doesNotContain("change abc");
    }

    @Test
    void aLinkOfAnotherOwnerIsForbiddenAndAudited() {
        workshop.givenLive();

        assertThat(changes.change(CODE, new Deactivate(), OSCAR)).isEqualTo(new Forbidden());
        assertThat(changes.change(CODE, new Deactivate(), RITA)).isEqualTo(new Forbidden());
        assertThat(changes.takeDown(CODE, REASON, OLGA)).isEqualTo(new Forbidden());
        assertThat(changes.restore(CODE, REASON, OLGA)).isEqualTo(new Forbidden());
        assertThat(changes.confirm(CODE, OLGA)).isEqualTo(new Forbidden());
        assertThat(workshop.audited()).hasSize(5).containsOnly(AuditOutcome.REFUSED);
        assertThat(workshop.cache.calls()).as("no lease for who may not").isEmpty();
        assertThat(workshop.stored().version()).isEqualTo(1);
    }

    @Test
    void whoMayNotLearnsNothingOfWhatThereIs() {
        assertThat(changes.takeDown(CODE, REASON, RITA)).isEqualTo(new Forbidden());
        assertThat(workshop.queue.events()).as("it concerns no link").isEmpty();
    }

    @Test
    void anUnknownCodeIsNoLink() {
        assertThat(changes.takeDown(CODE, REASON, ALICE)).isEqualTo(new NoSuchLink());
        assertThat(changes.restore(CODE, REASON, ALICE)).isEqualTo(new NoSuchLink());
        assertThat(changes.confirm(CODE, ALICE)).isEqualTo(new NoSuchLink());
        assertThat(changes.change(CODE, new Deactivate(), OLGA)).isEqualTo(new NoSuchLink());
        assertThat(workshop.cache.calls()).isEmpty();
    }

    @Test
    void anItemThatIsNoLinkIsSaidToBeNone() {
        workshop.table.putUnreadable(CODE, "attribute 'version' is missing");

        assertThat(changes.takeDown(CODE, REASON, ALICE))
                .isEqualTo(new Unreadable("attribute 'version' is missing"));
        assertThat(changes.confirm(CODE, ALICE))
                .isEqualTo(new Unreadable("attribute 'version' is missing"));
    }

    @Test
    void withoutATableNothingIsMade() {
        workshop.givenLive();
        workshop.table.failing(true);

        assertThat(changes.takeDown(CODE, REASON, ALICE)).isEqualTo(new NotMade());
        assertThat(changes.confirm(CODE, ALICE)).isEqualTo(new NotMade());
        assertThat(changes.takeDown(CODE, REASON, RITA)).isEqualTo(new NotMade());
        assertThat(workshop.stored().version()).isEqualTo(1);
    }

    @Test
    void whenTheTableGoesAwayAtTheChangeNobodyKnows() {
        workshop.givenLive();
        workshop.interruptions.before(2, () -> workshop.table.failing(true));

        assertThat(changes.takeDown(CODE, REASON, ALICE)).isEqualTo(new InDoubt());

        workshop.table.failing(false);
        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(2);
    }

    @Test
    void aLostReplyIsNoLostTakedown() {
        workshop.givenLive();
        workshop.table.loseNextReply();

        Receipt receipt = confirmed(changes.takeDown(CODE, REASON, ALICE));

        assertThat(receipt.version()).isEqualTo(2);
        assertThat(workshop.table.deaths()).hasSize(1);
        assertThat(workshop.table.calls()).containsOnlyOnce("change abc");
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Tombstone.class);
    }

    @Test
    void aTakedownWhoseReplyIsLostAndThatSomebodyUndoesIsMadeAgain() {
        workshop.givenLive();
        workshop.table.loseNextReply();
        workshop.interruptions.before(3, () -> changes.restore(CODE, REASON, BOB));

        Receipt receipt = confirmed(changes.takeDown(CODE, REASON, ALICE));

        assertThat(receipt.version()).isEqualTo(4);
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Tombstone.class);
    }

    @Test
    void withoutALeaseTheDeathComesFirstAndIsNotConfirmed() {
        workshop.givenLive();
        workshop.cache.unreachable(true);

        assertThat(changes.takeDown(CODE, REASON, ALICE))
                .isEqualTo(new InvalidateFailed(workshop.stored(), "the cache does not answer"));
        assertThat(workshop.stored().isDead()).isTrue();
        assertThat(workshop.audited()).containsExactly(AuditOutcome.INVALIDATE_FAILED);

        workshop.cache.unreachable(false);
        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(2);
        assertThat(workshop.audited())
                .containsExactly(AuditOutcome.INVALIDATE_FAILED, AuditOutcome.SUCCESS);
    }

    @Test
    void aCacheThatComesBackAfterTheLeaseStillGetsItsTombstone() {
        workshop.givenLive();
        workshop.cache.unreachable(true);
        workshop.interruptions.before(2, () -> workshop.cache.unreachable(false));

        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(2);
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Tombstone.class);
    }

    @Test
    void aTombstoneThatIsNotKnownToBeDurableIsNotConfirmed() {
        workshop.givenLive();
        workshop.cache.unconfirmed(true);

        assertThat(changes.takeDown(CODE, REASON, ALICE))
                .isEqualTo(new InvalidateFailed(workshop.stored(), "no replica acknowledged"));

        workshop.cache.unconfirmed(false);
        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(2);
    }

    @Test
    void withoutAnAuditQueueNothingIsReported() {
        workshop.givenLive();
        workshop.queue.unreachable();

        assertThat(changes.takeDown(CODE, REASON, ALICE))
                .isEqualTo(new AuditFailed(Optional.of(workshop.stored())));
        assertThat(workshop.stored().isDead()).isTrue();
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Tombstone.class);

        workshop.queue.recovers();
        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(2);
        assertThat(workshop.audited()).containsExactly(AuditOutcome.SUCCESS);
    }

    @Test
    void anEventWhoseReplyIsLostIsOfferedAgainAsTheSameEvent() {
        workshop.givenLive();
        workshop.queue.acceptsWithoutAnswering();
        workshop.interruptions.before(5, workshop.queue::recovers);

        Receipt receipt = confirmed(changes.takeDown(CODE, REASON, ALICE));

        assertThat(workshop.queue.eventsOf(CODE))
                .singleElement()
                .returns(receipt.eventId(), AuditEvent::eventId);
    }

    @Test
    void whatTheQueueDidNotAcceptIsToldInAnEventOfItsOwnIfThatCanBeSent() {
        workshop.givenLive();
        workshop.queue.unreachable();
        workshop.interruptions.before(6, workshop.queue::recovers);

        assertThat(changes.takeDown(CODE, REASON, ALICE)).isInstanceOf(AuditFailed.class);
        assertThat(workshop.audited()).containsExactly(AuditOutcome.AUDIT_FAILED);
    }

    @Test
    void aRefusalThatCannotBeRecordedIsNotReported() {
        Link dead = workshop.givenDead(Cause.TAKEDOWN, "alice");
        workshop.queue.unreachable();

        assertThat(changes.takeDown(CODE, REASON, BOB))
                .isEqualTo(new AuditFailed(Optional.of(dead)));
        assertThat(changes.takeDown(CODE, REASON, RITA))
                .isEqualTo(new AuditFailed(Optional.of(dead)));
    }

    @Test
    void withCacheAndQueueDownTheCacheIsWhatIsReported() {
        workshop.givenLive();
        workshop.cache.unreachable(true);
        workshop.queue.unreachable();

        assertThat(changes.takeDown(CODE, REASON, ALICE)).isInstanceOf(InvalidateFailed.class);
        assertThat(workshop.stored().isDead()).isTrue();
    }

    @Test
    void aChangeThatIsNoLongerTheLatestIsSuperseded() {
        workshop.givenLive();
        workshop.interruptions.before(3, () -> changes.restore(CODE, REASON, BOB));

        assertThat(changes.takeDown(CODE, REASON, ALICE))
                .isEqualTo(new Superseded(Optional.of(workshop.stored())));
        assertThat(workshop.stored().version()).isEqualTo(3);
        assertThat(workshop.queue.eventsOf(CODE))
                .extracting(AuditEvent::outcome, AuditEvent::version)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(AuditOutcome.SUCCESS, 3L),
                        org.assertj.core.groups.Tuple.tuple(AuditOutcome.SUPERSEDED, 2L));
        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Active.class);
    }

    @Test
    void ofTwoOperatorsAtOnceTheFirstAtTheTableWinsAndTheOtherIsToldWho() {
        workshop.givenLive();
        workshop.interruptions.before(2, () -> confirmed(changes.takeDown(CODE, REASON, BOB)));

        assertThat(changes.takeDown(CODE, REASON, ALICE))
                .isEqualTo(new Refused(workshop.stored(), Ground.DONE_BY_ANOTHER));
        assertThat(workshop.stored().lastChange().by()).isEqualTo("bob");
        assertThat(workshop.stored().version()).isEqualTo(2);
    }

    @Test
    void aTakedownIsMadeOfWhatTheLinkHasBecomeMeanwhile() {
        workshop.givenLive();
        workshop.interruptions.before(
                2, () -> confirmed(changes.change(CODE, new Deactivate(), OLGA)));

        assertThat(confirmed(changes.takeDown(CODE, REASON, ALICE)).version()).isEqualTo(3);
    }

    @Test
    void aConflictGivesTheLeaseBack() {
        workshop.givenLive();
        workshop.interruptions.before(2, () -> confirmed(changes.takeDown(CODE, REASON, BOB)));

        changes.takeDown(CODE, REASON, ALICE);

        assertThat(workshop.cache.askLease(CODE))
                .isInstanceOf(dev.headstone.cache.LeaseAttempt.Taken.class);
    }

    @Test
    void noAttemptBeginsAfterTheDeadline() {
        workshop.givenLive();
        workshop.table.failing(true);
        workshop.interruptions.before(
                1, () -> workshop.clock.advance(LinkChanges.DEADLINE.plusMillis(1)));

        assertThat(changes.takeDown(CODE, REASON, ALICE)).isEqualTo(new NotMade());
        assertThat(workshop.table.calls()).hasSize(2);
    }

    @Test
    void aTableThatDoesNotAnswerIsAskedAFewTimes() {
        workshop.table.failing(true);

        changes.takeDown(CODE, REASON, ALICE);

        assertThat(workshop.table.calls()).hasSize(LinkChanges.MOST_ATTEMPTS);
    }

    @Test
    void aReasonOfTheLongestKindReachesTheAuditLogWhole() {
        workshop.givenLive();
        Reason reason = new Reason("\ud83e\udea6".repeat(Reason.LONGEST));

        confirmed(changes.takeDown(CODE, reason, ALICE));

        assertThat(workshop.queue.eventsOf(CODE).getFirst().reason()).contains(reason.text());
    }

    @ParameterizedTest
    @EnumSource(
            value = ChangeKind.class,
            names = {"CREATE"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyFigureIsThereFromTheStart(ChangeKind kind) {
        assertThat(workshop.count("headstone.changes", "kind", kind.word(), "outcome", "confirmed"))
                .isZero();
        assertThat(
                        workshop.count(
                                "headstone.tombstones", "source", kind.word(), "result", "failed"))
                .isZero();
        for (String outcome :
                List.of(
                        "confirmed",
                        "invalidate_failed",
                        "audit_failed",
                        "superseded",
                        "refused")) {
            assertThat(workshop.meters.get("headstone.takedown").tag("outcome", outcome).timer())
                    .returns(0L, timer -> timer.count());
        }
    }

    @Test
    void takedownsAreTimedByOutcomeAndTombstonesCounted() {
        workshop.givenLive();
        workshop.cache.unreachable(true);
        changes.takeDown(CODE, REASON, ALICE);
        workshop.cache.unreachable(false);
        changes.takeDown(CODE, REASON, ALICE);
        changes.takeDown(CODE, REASON, BOB);
        changes.confirm(CODE, BOB);

        for (String outcome : List.of("confirmed", "invalidate_failed", "refused")) {
            assertThat(workshop.meters.get("headstone.takedown").tag("outcome", outcome).timer())
                    .returns(1L, timer -> timer.count());
        }
        assertThat(workshop.count("headstone.tombstones", "source", "takedown", "result", "failed"))
                .isEqualTo(1);
        assertThat(
                        workshop.count(
                                "headstone.tombstones",
                                "source",
                                "takedown",
                                "result",
                                "confirmed"))
                .isEqualTo(1);
        assertThat(
                        workshop.count(
                                "headstone.tombstones", "source", "confirm", "result", "confirmed"))
                .isEqualTo(1);
    }

    private static Receipt confirmed(ChangeResult result) {
        assertThat(result).isInstanceOf(Confirmed.class);
        return ((Confirmed) result).receipt();
    }
}
