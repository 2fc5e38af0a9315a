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
    /** Another one for each test: a change's id is a client token, which the table remembers. */
    private final ShortCode code =
            new ShortCode("c" + UUID.randomUUID().toString().substring(0, 13));

    /** The table under test; empty at the start of each test. */
    protected abstract LinkTable table();

    /** How many deaths of {@code code} the index of deaths holds. */
    protected abstract int deaths(ShortCode code);

    @Test
    void readsNothingWhereNothingIs() {
        assertThat(table().read(code)).isEqualTo(new TableRead.Absent());
    }

    @Test
    void readsTheLinkThatWasCreated() {
        Link link = Links.full(code);

        assertThat(create(link)).isEqualTo(new CreateOutcome.Created());
        assertThat(table().read(code)).isEqualTo(new TableRead.Found(link));
    }

    @Test
    void readsALinkThatHasNothingButTheNecessary() {
        Link link = Links.plain(code);
        create(link);

        assertThat(table().read(code)).isEqualTo(new TableRead.Found(link));
    }

    @Test
    void createsACodeOnce() {
        create(Links.plain(code));

        assertThat(create(Links.full(code))).isEqualTo(new CreateOutcome.CodeTaken());
        assertThat(found(code)).isEqualTo(Links.plain(code));
    }

    @Test
    void keepsTheCodeOfADeadLinkTaken() {
        create(Links.plain(code));
        table().change(Links.plain(code), dead(Links.plain(code), id()));

        assertThat(create(Links.full(code))).isEqualTo(new CreateOutcome.CodeTaken());
    }

    @Test
    void remembersTheAnswerToAKey() {
        Idempotency answer = answer("k-1");
        assertThat(table().recall("k-1")).isEqualTo(new IdempotencyRead.Unused());

        assertThat(table().create(Links.plain(code), Optional.of(answer)))
                .isEqualTo(new CreateOutcome.Created());
        assertThat(table().recall("k-1")).isEqualTo(new IdempotencyRead.Stored(answer));
    }

    @Test
    void createsNothingForAKeyThatIsInUse() {
        table().create(Links.plain(code), Optional.of(answer("k-1")));
        ShortCode other = new ShortCode(code + "-other");

        assertThat(table().create(Links.plain(other), Optional.of(answer("k-1"))))
                .isEqualTo(new CreateOutcome.KeyTaken());
        assertThat(table().read(other)).isEqualTo(new TableRead.Absent());
    }

    @Test
    void takesAKeyAnewOnceItHasRunOut() {
        Idempotency old = new Idempotency("k-1", "digest", "{}", Links.NOW.minusMillis(1));
        table().create(Links.plain(code), Optional.of(old));
        ShortCode other = new ShortCode(code + "-other");

        assertThat(table().create(Links.plain(other), Optional.of(answer("k-1"))))
                .isEqualTo(new CreateOutcome.Created());
    }

    @Test
    void storesNoAnswerForACodeThatWasTaken() {
        create(Links.plain(code));
        assertThat(table().create(Links.full(code), Optional.of(answer("k-2"))))
                .isEqualTo(new CreateOutcome.CodeTaken());

        assertThat(table().recall("k-2")).isEqualTo(new IdempotencyRead.Unused());
    }

    @Test
    void entersADeathTogetherWithTheChange() {
        Link link = Links.full(code);
        create(link);
        Link dead = dead(link, id());

        assertThat(table().change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(code)).isEqualTo(dead);
        assertThat(deaths(code)).isEqualTo(1);
    }

    @Test
    void revivesADeadLink() {
        Link link = Links.full(code);
        create(link);
        Link dead = dead(link, id());
        table().change(link, dead);
        Link revived = dead.revived(change(id()), Freshness.purgeOfLive(link.expiresAt()));

        assertThat(table().change(dead, revived)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(code)).isEqualTo(revived);
        assertThat(deaths(code)).isEqualTo(1);
    }

    @Test
    void alteringRemovesWhatIsNoMore() {
        Link link = Links.full(code);
        create(link);
        Link altered = link.altered(change(id()), Optional.empty(), Optional.empty(), List.of());

        assertThat(table().change(link, altered)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(code)).isEqualTo(altered);
    }

    @Test
    void changesOnlyTheVersionTheChangeWasMadeFor() {
        Link link = Links.plain(code);
        create(link);
        assertThat(table().change(link, dead(link, id()))).isEqualTo(new ChangeOutcome.Changed());

        assertThat(table().change(link, dead(link, id()))).isEqualTo(new ChangeOutcome.Conflict());
        assertThat(deaths(code)).isEqualTo(1);
    }

    @Test
    void changesNoOtherIncarnation() {
        Link link = Links.plain(code);
        create(link);
        Link earlier = Links.createdAt(code, Links.NOW.minusSeconds(1));

        assertThat(table().change(earlier, dead(earlier, id())))
                .isEqualTo(new ChangeOutcome.Conflict());
    }

    @Test
    void changesNothingThatIsNotThere() {
        Link link = Links.plain(code);
        assertThat(table().change(link, dead(link, id()))).isEqualTo(new ChangeOutcome.Conflict());
        assertThat(table().read(code)).isEqualTo(new TableRead.Absent());
    }

    @Test
    void takesARepeatedAttemptOfOneRequestForOneChange() {
        Link link = Links.plain(code);
        create(link);
        Link dead = dead(link, id());

        assertThat(table().change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(table().change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(deaths(code)).isEqualTo(1);
    }

    @Test
    void leavesVisitsAlone() {
        Link limited = Links.limited(code, 5);
        create(limited);
        table().claimVisit(limited);
        table().claimVisit(limited);

        table().change(limited, dead(limited, id()));
        assertThat(found(code).visits()).isEqualTo(2);
    }

    @Test
    void claimsEveryVisitButTheLast() {
        Link limited = Links.limited(code, 3);
        create(limited);

        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.Claimed());
        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.Claimed());
        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.NotClaimed());
        assertThat(found(code)).isEqualTo(limited.withVisits(2));
    }

    @Test
    void claimsTheLastVisitTogetherWithTheEnd() {
        Link limited = Links.limited(code, 2);
        create(limited);
        table().claimVisit(limited);
        Link before = found(code);
        Link after = exhausted(before, id());

        assertThat(table().exhaust(before, after)).isEqualTo(new ChangeOutcome.Changed());
        assertThat(found(code)).isEqualTo(after.withVisits(2));
        assertThat(deaths(code)).isEqualTo(1);
    }

    @Test
    void doesNotExhaustALinkThatHasMoreVisitsLeft() {
        Link limited = Links.limited(code, 3);
        create(limited);

        assertThat(table().exhaust(limited, exhausted(limited, id())))
                .isEqualTo(new ChangeOutcome.Conflict());
        assertThat(found(code)).isEqualTo(limited);
    }

    @Test
    void claimsNoVisitOfADeadLink() {
        Link limited = Links.limited(code, 5);
        create(limited);
        Link dead = dead(limited, id());
        table().change(limited, dead);

        assertThat(table().claimVisit(limited)).isEqualTo(new VisitClaim.NotClaimed());
    }

    @Test
    void claimsNoVisitOfAnItemThatIsGone() {
        assertThat(table().claimVisit(Links.limited(code, 5)))
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
