package dev.headstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.Settler.OfLive;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.InMemoryLinkTable;
import dev.headstone.table.Links;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SettlerTest {
    private static final ShortCode CODE = new ShortCode("abc");
    private static final Link LIVE = Links.plain(CODE);
    private static final Link DEAD =
            LIVE.ended(
                    Cause.TAKEDOWN,
                    new LastChange(Links.NOW, "bob", Optional.of("phishing"), "c-2"),
                    Freshness.purgeOfDead(Cause.TAKEDOWN, Links.NOW));

    private final InstantSource clock = InstantSource.fixed(Links.NOW);
    private final InMemoryLinkCache cache = new InMemoryLinkCache(clock);
    private final InMemoryLinkTable table = new InMemoryLinkTable();
    private final Settler settler = new Settler(cache, table, clock, Duration.ofSeconds(2));

    @Test
    void entombsADeadLink() {
        table.put(DEAD);
        cache.put(CODE, CacheRecord.of(LIVE, Links.NOW, Links.NOW));

        assertThat(settler.repair(CODE, OfLive.DROP_OLDER, Optional.empty()))
                .isEqualTo(new Repair.Settled(Optional.of(DEAD)));
        assertThat(cache.record(CODE)).contains(CacheRecord.of(DEAD, Links.NOW, Links.NOW));
        assertThat(cache.life(CODE)).contains(Freshness.TOMBSTONE);
    }

    @Test
    void leavesTheRecordOfALiveLink() {
        table.put(LIVE);
        CacheRecord record = CacheRecord.of(LIVE, Links.NOW, Links.NOW);
        cache.put(CODE, record);

        settler.repair(CODE, OfLive.DROP_OLDER, Optional.empty());
        assertThat(cache.record(CODE)).contains(record);
    }

    @Test
    void writesTheRecordOfALinkThatCameAlive() {
        table.put(LIVE);

        settler.repair(CODE, OfLive.WRITE, Optional.empty());
        assertThat(cache.record(CODE)).contains(CacheRecord.of(LIVE, Links.NOW, Links.NOW));
    }

    @Test
    void writesNoRecordOfALinkThatHasExpired() {
        Link expired = Links.expiring(CODE, Links.NOW);
        table.put(expired);

        assertThat(settler.repair(CODE, OfLive.WRITE, Optional.empty()))
                .isEqualTo(new Repair.Settled(Optional.of(expired)));
        assertThat(cache.record(CODE)).isEmpty();
    }

    @Test
    void dropsWhatIsLeftOfAnItemThatIsGone() {
        cache.put(CODE, CacheRecord.of(DEAD, Links.NOW, Links.NOW));

        assertThat(settler.repair(CODE, OfLive.DROP_OLDER, Optional.of(DEAD.stamp())))
                .isEqualTo(new Repair.Settled(Optional.empty()));
        assertThat(cache.record(CODE)).isEmpty();
    }

    @Test
    void saysSoWhenTheCacheDoesNotAnswer() {
        table.put(DEAD);
        cache.unreachable(true);

        assertThat(settler.repair(CODE, OfLive.DROP_OLDER, Optional.empty()))
                .isInstanceOf(Repair.CacheFailed.class);
    }

    @Test
    void saysSoWhenNobodyKnowsWhetherItWasConfirmed() {
        table.put(DEAD);
        cache.unconfirmed(true);

        assertThat(settler.repair(CODE, OfLive.DROP_OLDER, Optional.empty()))
                .isInstanceOf(Repair.CacheFailed.class);
    }

    @Test
    void writesNothingWhenTheTableDoesNotAnswer() {
        table.failing(true);

        assertThat(settler.repair(CODE, OfLive.DROP_OLDER, Optional.empty()))
                .isInstanceOf(Repair.TableFailed.class);
        assertThat(cache.calls()).noneMatch(call -> call.startsWith("confirm"));
    }

    @Test
    void settlesToWhatTheTableSaysOnceTheLeaseIsLost() {
        table.put(DEAD);
        Lease lost = ((LeaseAttempt.Taken) cache.forceLease(CODE)).lease();
        cache.forceLease(CODE);
        Link revived =
                DEAD.revived(
                        new LastChange(Links.NOW, "eve", Optional.of("mistake"), "c-3"),
                        Optional.empty());
        table.put(revived);

        assertThat(settler.settle(lost, DEAD, OfLive.DROP_OLDER, Links.NOW))
                .isEqualTo(new Repair.Settled(Optional.of(revived)));
        assertThat(cache.record(CODE)).isEmpty();
    }

    @Test
    void confirmsNoDeathWhileALiveRecordOfALaterIncarnationLiesThere() {
        table.put(DEAD);
        Link reborn = Links.createdAt(CODE, Links.NOW.plusMillis(1));
        cache.put(CODE, CacheRecord.of(reborn, Links.NOW, Links.NOW));

        assertThat(settler.repair(CODE, OfLive.DROP_OLDER, Optional.empty()))
                .isInstanceOf(Repair.CacheFailed.class);
        assertThat(cache.calls().stream().filter("force abc"::equals)).hasSize(3);
    }

    @Test
    void pausesBeforeItStartsAgainAndLetsTheOtherWriterFinish() {
        table.put(DEAD);
        Lease lost = ((LeaseAttempt.Taken) cache.forceLease(CODE)).lease();
        Lease other = ((LeaseAttempt.Taken) cache.forceLease(CODE)).lease();
        int[] pauses = {0};
        Settler patient =
                new Settler(
                        cache,
                        table,
                        clock,
                        Duration.ofSeconds(2),
                        () -> {
                            pauses[0]++;
                            cache.settleConfirmed(other, new Settlement.Release());
                        });

        assertThat(patient.settle(lost, DEAD, OfLive.DROP_OLDER, Links.NOW))
                .isEqualTo(new Repair.Settled(Optional.of(DEAD)));
        assertThat(pauses[0]).isEqualTo(1);
    }
}
