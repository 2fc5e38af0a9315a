package dev.headstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every {@link DeathIndex} does: the fake that tests use, and the adapter that ships. */
public abstract class DeathIndexContract {
    /** Another hour for each test, for the tables outlive it. */
    private final Instant hour =
            Instant.ofEpochMilli(1_795_000_000_000L)
                    .plus(Duration.ofHours(UUID.randomUUID().hashCode() & 0xFFFFF));

    /** The table that deaths are entered through. */
    protected abstract LinkTable table();

    /** The index under test. */
    protected abstract DeathIndex index();

    @Test
    void findsNobodyWhereNobodyDied() {
        assertThat(deaths(hour, hour)).isEmpty();
    }

    @Test
    void findsADeathAsSoonAsItIsCommitted() {
        Link dead = die(code(), hour);

        assertThat(deaths(hour, hour))
                .containsExactly(new DeathPage.Death(dead.code(), dead.stamp()));
    }

    @Test
    void findsALinkThatLivesAgain() {
        Link dead = die(code(), hour);
        table().change(
                        dead,
                        dead.revived(
                                change(hour.plusSeconds(1)),
                                Freshness.purgeOfLive(Optional.empty())));

        assertThat(deaths(hour, hour)).hasSize(1);
    }

    @Test
    void findsEveryDeathOnceHoweverManyPagesTheyFill() {
        List<ShortCode> codes = new ArrayList<>();
        for (int death = 0; death < 60; death++) {
            codes.add(die(code(), hour.plusMillis(death)).code());
        }

        assertThat(deaths(hour, hour))
                .extracting(DeathPage.Death::code)
                .containsExactlyInAnyOrderElementsOf(codes);
    }

    @Test
    void keepsHoursApart() {
        Link before = die(code(), hour.minus(Duration.ofHours(1)));
        Link dead = die(code(), hour);
        die(code(), hour.plus(Duration.ofHours(2)));

        assertThat(deaths(hour.minus(Duration.ofHours(1)), hour))
                .extracting(DeathPage.Death::code)
                .containsExactlyInAnyOrder(before.code(), dead.code());
    }

    private List<DeathPage.Death> deaths(Instant first, Instant last) {
        List<DeathPage.Death> deaths = new ArrayList<>();
        for (DeathPartition partition : Deaths.partitions(first, last)) {
            Optional<String> from = Optional.empty();
            do {
                DeathPage.Read page = (DeathPage.Read) index().read(partition, from);
                deaths.addAll(page.deaths());
                from = page.next();
            } while (from.isPresent());
        }
        return deaths;
    }

    private Link die(ShortCode code, Instant at) {
        Link link = Links.createdAt(code, at.minusSeconds(60));
        table().create(link, Optional.empty());
        Link dead =
                link.ended(Cause.TAKEDOWN, change(at), Freshness.purgeOfDead(Cause.TAKEDOWN, at));
        assertThat(table().change(link, dead)).isEqualTo(new ChangeOutcome.Changed());
        return dead;
    }

    private static LastChange change(Instant at) {
        return new LastChange(at, "bob", Optional.of("phishing"), UUID.randomUUID().toString());
    }

    private static ShortCode code() {
        return new ShortCode("c" + UUID.randomUUID().toString().substring(0, 13));
    }
}
