package dev.headstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every {@link LinkTable} does: the fake that tests use, and the adapter that ships. */
public abstract class LinkTableContract {
    private static final ShortCode CODE = new ShortCode("abc");

    /** The table under test; empty at the start of each test. */
    protected abstract LinkTable table();

    /** How many deaths of {@code code} the index of deaths holds. */
    protected abstract int deaths(ShortCode code);

    @Test
    void readsNothingWhereNothingIs() {
        assertThat(table().read(CODE)).isEqualTo(new TableRead.Absent());
    }

    @Test
    void readsTheLinkThatWasCreated() {
        Link link = Links.full(CODE);

        assertThat(create(link)).isEqualTo(new CreateOutcome.Created());
        assertThat(table().read(CODE)).isEqualTo(new TableRead.Found(link));
    }

    @Test
    void readsALinkThatHasNothingButTheNecessary() {
        Link link = Links.plain(CODE);
        create(link);

        assertThat(table().read(CODE)).isEqualTo(new TableRead.Found(link));
    }

    @Test
    void createsACodeOnce() {
        create(Links.plain(CODE));

        assertThat(create(Links.full(CODE))).isEqualTo(new CreateOutcome.CodeTaken());
        assertThat(found(CODE)).isEqualTo(Links.plain(CODE));
    }

    @Test
    void keepsTheCodeOfADeadLinkTaken() {
        create(Links.plain(CODE));
        table().change(Links.plain(CODE), dead(Links.plain(CODE), id()));

        assertThat(create(Links.full(CODE))).isEqualTo(new CreateOutcome.CodeTaken());
    }

    @Test
    void remembersTheAnswerToAKey() {
        Idempotency answer = answer("k-1");
        assertThat(table().recall("k-1")).isEqualTo(new IdempotencyRead.Unused());

        assertThat(table().create(Links.plain(CODE), Optional.of(answer)))
                .isEqualTo(new CreateOutcome.Created());
        assertThat(table().recall("k-1")).isEqualTo(new IdempotencyRead.Stored(answer));
    }

    @Test
    void createsNothingForAKeyThatIsInUse() {
        table().create(Links.plain(CODE), Optional.of(answer("k-1")));
        ShortCode other = new ShortCode("other");

        assertThat(table().create(Links.plain(other), Optional.of(answer("k-1"))))
                .isEqualTo(new CreateOutcome.KeyTaken());
        assertThat(table().read(other)).isEqualTo(new TableRead.Absent());
    }

    @Test
    void takesAKeyAnewOnceItHasRunOut() {
        Idempotency old = new Idempotency("k-1", "digest", "{}", Links.NOW.minusMillis(1));
        table().create(Links.plain(CODE), Optional.of(old));
        ShortCode other = new ShortCode("other");

        assertThat(table().create(Links.plain(other), Optional.of(answer("k-1"))))
                .isEqualTo(new CreateOutcome.Created());
    }

    @Test
    void storesNoAnswerForACodeThatWasTaken() {
        create(Links.plain(CODE));
        assertThat(table().create(Links.plain(CODE), Optional.of(answer("k-2"))))
                .isEqualTo(new CreateOutcome.CodeTaken());

        assertThat(table().recall("k-2")).isEqualTo(new IdempotencyRead.Unused());
    }

    @Test
    void entersADeathTogetherWithTheChange() {
        Link link = Links.full(CODE);
        create(link);
        Link dead = dead(link, id());

        assertThat(table().change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(CODE)).isEqualTo(dead);
        assertThat(deaths(CODE)).isEqualTo(1);
    }

    @Test
    void revivesADeadLink() {
        Link link = Links.full(CODE);
        create(link);
        Link dead = dead(link, id());
        table().change(link, dead);
        Link revived = dead.revived(change(id()), Freshness.purgeOfLive(link.expiresAt()));

        assertThat(table().change(dead, revived)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(CODE)).isEqualTo(revived);
        assertThat(deaths(CODE)).isEqualTo(1);
    }

    @Test
    void alteringRemovesWhatIsNoMore() {
        Link link = Links.full(CODE);
        create(link);
        Link altered = link.altered(change(id()), Optional.empty(), Optional.empty(), List.of());

        assertThat(table().change(link, altered)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(CODE)).isEqualTo(altered);
    }

    @Test
    void changesOnlyTheVersionTheChangeWasMadeFor() {
        Link link = Links.plain(CODE);
        create(link);
        table().change(link, dead(link, id()));

        assertThat(table().change(link, dead(link, id()))).isEqualTo(new ChangeOutcome.Conflict());
        assertThat(deaths(CODE)).isEqualTo(1);
    }

    @Test
    void changesNoOtherIncarnation() {
        Link link = Links.plain(CODE);
        create(link);
        Link earlier = Links.createdAt(CODE, Links.NOW.minusSeconds(1));

        assertThat(table().change(earlier, dead(earlier, id())))
                .isEqualTo(new ChangeOutcome.Conflict());
    }

    @Test
    void changesNothingThatIsNotThere() {
        Link link = Links.plain(CODE);
        assertThat(table().change(link, dead(link, id()))).isEqualTo(new ChangeOutcome.Conflict());
        assertThat(table().read(CODE)).isEqualTo(new TableRead.Absent());
    }

    @Test
    void takesARepeatedAttemptOfOneRequestForOneChange() {
        Link link = Links.plain(CODE);
        create(link);
        Link dead = dead(link, id());

        assertThat(table().change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(table().change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(deaths(CODE)).isEqualTo(1);
    }

    @Test
    void leavesVisitsAlone() {
        Link limited = Links.limited(CODE, 5);
        create(limited);
        table().claimVisit(limited);
        table().claimVisit(limited);

        table().change(limited, dead(limited, id()));
        assertThat(found(CODE).visits()).isEqualTo(2);
    }

    @Test
    void claimsEveryVisitButTheLast() {
        Link limited = Links.limited(CODE, 3);
        create(limited);

        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.Claimed());
        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.Claimed());
        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.NotClaimed());
        assertThat(found(CODE)).isEqualTo(limited.withVisits(2));
    }

    @Test
    void claimsTheLastVisitTogetherWithTheEnd() {
        Link limited = Links.limited(CODE, 2);
        create(limited);
        table().claimVisit(limited);
        Link before = found(CODE);
        Link after = exhausted(before, id());

        assertThat(table().exhaust(before, after)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(CODE)).isEqualTo(after.withVisits(2));
        assertThat(deaths(CODE)).isEqualTo(1);
    }

    @Test
    void doesNotExhaustALinkThatHasMoreVisitsLeft() {
        Link limited = Links.limited(CODE, 3);
        create(limited);

        assertThat(table().exhaust(limited, exhausted(limited, id())))
                .isEqualTo(new ChangeOutcome.Conflict());
        assertThat(found(CODE)).isEqualTo(limited);
    }

    @Test
    void claimsNoVisitOfADeadLink() {
        Link limited = Links.limited(CODE, 5);
        create(limited);
        Link dead = dead(limited, id());
        table().change(limited, dead);

        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.NotClaimed());
    }

    @Test
    void claimsNoVisitOfAnItemThatIsGone() {
        assertThat(table().claimVisit(Links.limited(CODE, 5)))
                .isEqualTo(new VisitClaim.NotClaimed());
    }

    private CreateOutcome create(Link link) {
        return table().create(link, Optional.empty());
    }

    private Link found(ShortCode code) {
        return ((TableRead.Found) table().read(code)).link();
    }

    private static Idempotency answer(String key) {
        return new Idempotency(
                key, "digest", "{\"short_code\":\"abc\"}", Links.NOW.plusSeconds(86_400));
    }

    private static Link dead(Link link, String id) {
        LastChange change = change(id);
        return link.ended(
                Cause.TAKEDOWN, change, Freshness.purgeOfDead(Cause.TAKEDOWN, change.at()));
    }

    private static Link exhausted(Link link, String id) {
        LastChange change = change(id);
        return link.ended(
                Cause.EXHAUSTED, change, Freshness.purgeOfDead(Cause.EXHAUSTED, change.at()));
    }

    private static LastChange change(String id) {
        return new LastChange(Links.NOW.plusSeconds(60), "bob", Optional.of("phishing"), id);
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }
}
