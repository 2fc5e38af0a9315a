package dev.headstone.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.CacheRecord.Tombstone;
import dev.headstone.link.Cause;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link LinkCache} does: the fake that tests use, and the adapter that ships. */
public abstract class LinkCacheContract {
    private static final long EPOCH = 1_790_000_000_000L;
    private static final Duration LIFE = Duration.ofHours(2);
    private static final ShortCode CODE = new ShortCode("abc");

    /** The cache under test; empty at the start of each test. */
    protected abstract LinkCache cache();

    /** Puts bytes under the code's key, past the cache. */
    protected abstract void putRaw(ShortCode code, byte[] value);

    /** What lies under the code's key, past the cache. */
    protected abstract Optional<byte[]> raw(ShortCode code);

    /** How long the code's key still lives. */
    protected abstract Optional<Duration> life(ShortCode code);

    @Test
    void findsNothingWhereNothingWasWritten() {
        assertThat(look()).isEqualTo(new CacheLookup.Absent());
    }

    @Test
    void givesTheRecordBackThatWasWritten() {
        Active record = active(3);

        assertThat(write(record)).isEqualTo(accepted(record.stamp()));
        assertThat(look()).isEqualTo(new CacheLookup.Found(record));
        assertThat(life(CODE))
                .hasValueSatisfying(
                        life -> assertThat(life).isBetween(LIFE.minusSeconds(10), LIFE));
    }

    @Test
    void writesATombstoneWithoutTheDestination() {
        write(active(1));
        write(tombstone(2));

        assertThat(look()).isEqualTo(new CacheLookup.Found(tombstone(2)));
        assertThat(raw(CODE))
                .hasValueSatisfying(
                        bytes -> assertThat(new String(bytes, UTF_8)).doesNotContain("example"));
    }

    @Test
    void givesTheCauseOfADeathBack() {
        for (Cause cause : Cause.values()) {
            Tombstone record =
                    new Tombstone(
                            tombstone(2).stamp(), tombstone(2).staleUntil(), Optional.of(cause));
            write(record);

            assertThat(look()).isEqualTo(new CacheLookup.Found(record));
        }
    }

    @Test
    void doesNotSayWhyALinkDiedIfTheCauseIsUnknown() {
        write(tombstone(2));
        putRaw(
                CODE,
                new String(raw(CODE).orElseThrow(), UTF_8)
                        .replace("}", ",\"cause\":\"of a later release\"}")
                        .getBytes(UTF_8));

        assertThat(look()).isEqualTo(new CacheLookup.Found(tombstone(2)));
    }

    @Test
    void refusesAWriteWithoutTheLease() {
        Lease first = force();
        Lease second = force();

        assertThat(cache().settle(first, write1(active(1)))).isEqualTo(new SettleOutcome.Refused());
        assertThat(look()).isEqualTo(new CacheLookup.Absent());
        assertThat(cache().settle(second, write1(active(1))))
                .isEqualTo(accepted(active(1).stamp()));
    }

    @Test
    void usesTheLeaseUpWithOneSettlement() {
        Lease lease = force();
        cache().settle(lease, new Settlement.Release());

        assertThat(cache().settle(lease, write1(active(1)))).isEqualTo(new SettleOutcome.Refused());
    }

    @Test
    void keepsTheLeaseOfTheOneWhoTookItWhenAnotherIsRefused() {
        Lease first = force();
        Lease second = force();
        cache().settle(first, new Settlement.Release());

        assertThat(cache().settleConfirmed(second, write1(tombstone(2))))
                .isEqualTo(accepted(tombstone(2).stamp()));
    }

    @Test
    void givesTheLeaseToOnePoliteReader() {
        assertThat(cache().askLease(CODE)).isInstanceOf(LeaseAttempt.Taken.class);
        assertThat(cache().askLease(CODE)).isEqualTo(new LeaseAttempt.Held());
    }

    @Test
    void givesTheLeaseAgainAfterItWasUsed() {
        LeaseAttempt.Taken taken = (LeaseAttempt.Taken) cache().askLease(CODE);
        cache().settle(taken.lease(), new Settlement.Release());

        assertThat(cache().askLease(CODE)).isInstanceOf(LeaseAttempt.Taken.class);
    }

    @Test
    void takesTheLeaseFromAReaderByForce() {
        LeaseAttempt.Taken reader = (LeaseAttempt.Taken) cache().askLease(CODE);
        Lease writer = force();

        assertThat(cache().settle(reader.lease(), write1(active(1))))
                .isEqualTo(new SettleOutcome.Refused());
        assertThat(cache().settle(writer, write1(tombstone(2))))
                .isEqualTo(accepted(tombstone(2).stamp()));
    }

    @Test
    void keepsLeasesOfTwoCodesApart() {
        Lease lease = force();
        assertThat(cache().askLease(new ShortCode("ABC"))).isInstanceOf(LeaseAttempt.Taken.class);
        assertThat(cache().settle(lease, new Settlement.Release())).isEqualTo(nothing());
    }

    @Test
    void keepsANewerRecord() {
        write(tombstone(5));

        assertThat(write(active(4))).isEqualTo(accepted(tombstone(5).stamp()));
        assertThat(look()).isEqualTo(new CacheLookup.Found(tombstone(5)));
    }

    @Test
    void letsATombstoneWinBetweenEqualVersions() {
        write(active(4));
        assertThat(write(tombstone(4))).isEqualTo(accepted(tombstone(4).stamp()));
        assertThat(write(active(4))).isEqualTo(accepted(tombstone(4).stamp()));
    }

    @Test
    void writesTheSameStampAgain() {
        write(active(4));
        Active later = withFreshUntil(active(4), 1_799_000_000_000L);

        assertThat(write(later)).isEqualTo(accepted(later.stamp()));
        assertThat(look()).isEqualTo(new CacheLookup.Found(later));
    }

    @Test
    void ordersIncarnationsBeforeVersions() {
        write(new Tombstone(new Stamp(EPOCH, 99, true), Instant.ofEpochMilli(1_800_000_000_000L)));
        Active reborn = activeOf(new Stamp(EPOCH + 1, 1, false));

        assertThat(write(reborn)).isEqualTo(accepted(reborn.stamp()));
    }

    @Test
    void ordersVersionsThatNoDoubleCanTellApart() {
        write(active(Long.MAX_VALUE));

        assertThat(write(active(Long.MAX_VALUE - 1)))
                .isEqualTo(accepted(active(Long.MAX_VALUE).stamp()));
    }

    @Test
    void dropsWhatIsStrictlyOlderThanALiveLink() {
        write(active(2));
        assertThat(settle(new Settlement.DropOlder(active(3).stamp()))).isEqualTo(nothing());

        write(active(3));
        assertThat(settle(new Settlement.DropOlder(active(3).stamp())))
                .isEqualTo(accepted(active(3).stamp()));
    }

    @Test
    void dropsWhatIsNotNewerThanTheLastImageOfAPurgedItem() {
        write(tombstone(2));
        assertThat(settle(new Settlement.DropUpTo(tombstone(2).stamp()))).isEqualTo(nothing());

        write(active(3));
        assertThat(settle(new Settlement.DropUpTo(tombstone(2).stamp())))
                .isEqualTo(accepted(active(3).stamp()));
    }

    @Test
    void dropsAnythingWhenNobodyKnowsWhatTheItemWas() {
        write(active(3));
        assertThat(settle(new Settlement.DropAll())).isEqualTo(nothing());
        assertThat(raw(CODE)).isEmpty();
    }

    @Test
    void leavesAReadableRecordWhenThereIsNothingToWrite() {
        write(active(3));
        assertThat(settle(new Settlement.Release())).isEqualTo(accepted(active(3).stamp()));
    }

    @ParameterizedTest
    @MethodSource("dev.headstone.cache.UnreadableValues#all")
    void takesForUnreadableWhatIsNoRecord(byte[] value) {
        putRaw(CODE, value);
        assertThat(look()).isEqualTo(new CacheLookup.Unreadable());
    }

    @ParameterizedTest
    @MethodSource("dev.headstone.cache.UnreadableValues#all")
    void replacesWhatIsNoRecord(byte[] value) {
        putRaw(CODE, value);
        assertThat(write(active(1))).isEqualTo(accepted(active(1).stamp()));
    }

    @ParameterizedTest
    @MethodSource("dev.headstone.cache.UnreadableValues#all")
    void clearsWhatIsNoRecordWhenThereIsNothingToWrite(byte[] value) {
        putRaw(CODE, value);
        assertThat(settle(new Settlement.Release())).isEqualTo(nothing());
        assertThat(raw(CODE)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dev.headstone.cache.UnreadableValues#readable")
    void readsWhateverHasTheFieldsOfItsState(byte[] value) {
        putRaw(CODE, value);

        assertThat(look()).isInstanceOf(CacheLookup.Found.class);
        assertThat(settle(new Settlement.Release()))
                .isInstanceOfSatisfying(
                        SettleOutcome.Accepted.class,
                        accepted -> assertThat(accepted.holds()).isPresent());
    }

    private CacheLookup look() {
        return cache().look(CODE).toCompletableFuture().join();
    }

    private Lease force() {
        return ((LeaseAttempt.Taken) cache().forceLease(CODE)).lease();
    }

    private SettleOutcome settle(Settlement settlement) {
        return cache().settle(force(), settlement);
    }

    private SettleOutcome write(CacheRecord record) {
        return settle(write1(record));
    }

    private static Settlement write1(CacheRecord record) {
        return new Settlement.Write(record, LIFE);
    }

    private static SettleOutcome accepted(Stamp holds) {
        return new SettleOutcome.Accepted(Optional.of(holds));
    }

    private static SettleOutcome nothing() {
        return new SettleOutcome.Accepted(Optional.empty());
    }

    private static Active active(long version) {
        return activeOf(new Stamp(EPOCH, version, false));
    }

    private static Active activeOf(Stamp stamp) {
        return new Active(
                stamp,
                "https://example.com/a/b?c=\"%22&d=/",
                Optional.of("example.com"),
                Optional.of("alice"),
                List.of("spring", "mail"),
                Optional.of(Instant.ofEpochMilli(1_800_000_000_000L)),
                OptionalLong.of(7),
                Instant.ofEpochMilli(1_798_000_000_000L),
                Instant.ofEpochMilli(1_798_000_900_000L));
    }

    private static Active withFreshUntil(Active record, long freshUntil) {
        return new Active(
                record.stamp(),
                record.longUrl(),
                record.host(),
                record.owner(),
                record.tags(),
                record.expiresAt(),
                record.visitLimit(),
                Instant.ofEpochMilli(freshUntil),
                record.staleUntil());
    }

    private static Tombstone tombstone(long version) {
        return new Tombstone(
                new Stamp(EPOCH, version, true), Instant.ofEpochMilli(1_798_000_000_000L));
    }
}
