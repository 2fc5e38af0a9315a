package dev.headstone.standalone.source;

import dev.headstone.standalone.source.ShardPosition.After;
import dev.headstone.standalone.source.ShardPosition.End;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard's lease and position in the hands of this process. The position is known here first and
 * written at once; a write that fails is made up for by the next renewal, so at worst records are
 * handled twice.
 *
 * <p>Safe for use by the shard's reader and the keeper of leases; a write holds the other up.
 */
final class ShardPlace implements BatchRun.Place {
    private static final Logger LOG = LoggerFactory.getLogger(ShardPlace.class);

    private final ShardCheckpoints checkpoints;
    private final SourceHealth health;
    private final InstantSource clock;
    private ShardLease lease;
    private ShardPosition position;
    private boolean written = true;
    private boolean lost;

    ShardPlace(
            ShardCheckpoints checkpoints,
            SourceHealth health,
            InstantSource clock,
            ShardLease lease) {
        this.checkpoints = checkpoints;
        this.health = health;
        this.clock = clock;
        this.lease = lease;
        this.position = lease.position();
    }

    String shardId() {
        return lease.shardId();
    }

    synchronized ShardPosition position() {
        return position;
    }

    @Override
    public synchronized boolean held() {
        return !lost && clock.instant().isBefore(lease.until());
    }

    @Override
    public void settled(StreamEntry entry) {
        moveTo(new After(entry.sequenceNumber()));
    }

    /**
     * Notes the shard's end.
     *
     * @return whether it is written; its children wait for that
     */
    boolean ended() {
        return moveTo(new End());
    }

    /** Renews the lease, and writes the position if that failed before. */
    synchronized void renew() {
        if (!lost) {
            write();
        }
    }

    synchronized void release() {
        if (!lost) {
            try {
                checkpoints.release(lease);
            } catch (RuntimeException e) {
                LOG.atWarn()
                        .addKeyValue("shard", shardId())
                        .addKeyValue("fault", Faults.name(e))
                        .log("lease not given back, it will run out");
            }
        }
    }

    private synchronized boolean moveTo(ShardPosition next) {
        position = next;
        written = false;
        return !lost && write();
    }

    private boolean write() {
        try {
            Optional<ShardLease> renewed =
                    written ? checkpoints.renew(lease) : checkpoints.advance(lease, position);
            lost = renewed.isEmpty();
            lease = renewed.orElse(lease);
            written |= !lost;
            health.well(part());
        } catch (RuntimeException e) {
            health.ill(part(), "checkpoint: " + Faults.name(e));
            LOG.atWarn()
                    .addKeyValue("shard", shardId())
                    .addKeyValue("fault", Faults.name(e))
                    .log("checkpoint not written");
            return false;
        }
        if (lost) {
            LOG.atWarn().addKeyValue("shard", shardId()).log("lease lost to another process");
        }
        return !lost;
    }

    private String part() {
        return "checkpoint of " + shardId();
    }
}
