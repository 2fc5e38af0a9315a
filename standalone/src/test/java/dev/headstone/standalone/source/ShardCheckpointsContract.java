package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.source.ShardPosition.After;
import dev.headstone.standalone.source.ShardPosition.End;
import dev.headstone.standalone.source.ShardPosition.Horizon;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What must hold of checkpoints wherever they are kept. */
abstract class ShardCheckpointsContract {
    static final Duration LEASE = Duration.ofSeconds(15);

    private static final String SHARD = "shardId-00000000000000000001-00000000";
    private static final After EARLY = new After("99999999999999999999999");
    private static final After LATE = new After("100000000000000000000000");

    final SettableClock clock = new SettableClock();

    /** The same store as every other call's, in the hands of another owner. */
    abstract ShardCheckpoints checkpoints(String owner);

    @Test
    void aShardNobodyHoldsIsLeasedFromItsHorizon() {
        ShardLease lease = checkpoints("a").acquire(SHARD).orElseThrow();

        assertThat(lease.position()).isEqualTo(new Horizon());
        assertThat(lease.until()).isEqualTo(clock.instant().plus(LEASE));
        assertThat(checkpoints("b").positions()).containsEntry(SHARD, new Horizon());
    }

    @Test
    void aShardInOtherHandsIsNotLeasedUntilTheLeaseRunsOut() {
        assertThat(checkpoints("a").acquire(SHARD)).isPresent();
        assertThat(checkpoints("b").acquire(SHARD)).isEmpty();

        clock.advance(LEASE);
        assertThat(checkpoints("b").acquire(SHARD)).isEmpty();

        clock.advance(Duration.ofMillis(1));
        assertThat(checkpoints("b").acquire(SHARD)).isPresent();
    }

    @Test
    void anOwnerTakesItsOwnShardAgainAtOnceAndGoesOnWhereItStood() {
        ShardLease first = checkpoints("a").acquire(SHARD).orElseThrow();
        assertThat(checkpoints("a").advance(first, EARLY)).isPresent();

        ShardLease second = checkpoints("a").acquire(SHARD).orElseThrow();

        assertThat(second.position()).isEqualTo(EARLY);
        assertThat(checkpoints("a").advance(first, LATE))
                .as("the earlier lease of the same owner")
                .isEmpty();
        assertThat(checkpoints("a").advance(second, LATE)).isPresent();
    }

    @Test
    void aLeaseThatIsRenewedLasts() {
        ShardLease lease = checkpoints("a").acquire(SHARD).orElseThrow();
        clock.advance(Duration.ofSeconds(10));

        ShardLease renewed = checkpoints("a").renew(lease).orElseThrow();
        clock.advance(Duration.ofSeconds(10));

        assertThat(renewed.until()).isAfter(clock.instant());
        assertThat(checkpoints("b").acquire(SHARD)).isEmpty();
    }

    @Test
    void anAdvanceRenewsTheLeaseToo() {
        ShardLease lease = checkpoints("a").acquire(SHARD).orElseThrow();
        clock.advance(Duration.ofSeconds(10));

        assertThat(checkpoints("a").advance(lease, EARLY).orElseThrow().until())
                .isEqualTo(clock.instant().plus(LEASE));
    }

    @Test
    void whoLostALeaseMovesNothing() {
        ShardLease old = checkpoints("a").acquire(SHARD).orElseThrow();
        clock.advance(LEASE.plusMillis(1));
        ShardLease taken = checkpoints("b").acquire(SHARD).orElseThrow();
        assertThat(checkpoints("b").advance(taken, LATE)).isPresent();

        assertThat(checkpoints("a").advance(old, EARLY)).isEmpty();
        assertThat(checkpoints("a").renew(old)).isEmpty();
        checkpoints("a").release(old);

        assertThat(checkpoints("b").positions()).containsEntry(SHARD, LATE);
        assertThat(checkpoints("b").renew(taken)).isPresent();
    }

    @Test
    void aPositionNeverMovesBackwards() {
        ShardLease lease = checkpoints("a").acquire(SHARD).orElseThrow();
        assertThat(checkpoints("a").advance(lease, LATE)).isPresent();

        assertThat(checkpoints("a").advance(lease, EARLY)).isEmpty();
        assertThat(checkpoints("a").advance(lease, LATE)).as("the same again").isPresent();
        assertThat(checkpoints("a").advance(lease, new End())).isPresent();
        assertThat(checkpoints("a").advance(lease, LATE)).isEmpty();

        assertThat(checkpoints("a").positions()).containsEntry(SHARD, new End());
    }

    @Test
    void aLeaseThatIsGivenBackIsFreeAtOnce() {
        ShardLease lease = checkpoints("a").acquire(SHARD).orElseThrow();
        assertThat(checkpoints("a").advance(lease, EARLY)).isPresent();

        checkpoints("a").release(lease);

        assertThat(checkpoints("b").acquire(SHARD).orElseThrow().position()).isEqualTo(EARLY);
    }

    @Test
    void aForgottenShardIsNotListedAndItsLeaseIsLost() {
        ShardLease lease = checkpoints("a").acquire(SHARD).orElseThrow();

        checkpoints("b").forget(SHARD);

        assertThat(checkpoints("a").positions()).isEmpty();
        assertThat(checkpoints("a").renew(lease)).isEmpty();
    }
}
