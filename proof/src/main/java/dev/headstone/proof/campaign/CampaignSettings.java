package dev.headstone.proof.campaign;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How a campaign is run.
 *
 * @param seed everything random follows from it, but for what the operating system does
 * @param budget no trial begins later than this after the first
 * @param mostTrials how many trials there are at the most
 * @param lanes trials at one time upon a Redis that stays up
 * @param roughLanes trials at one time upon a Redis that is paused, killed and restored
 * @param redis the command that starts a redis-server, to which the campaign adds where its
 *     configuration comes from
 * @param folder for what the Redis processes leave; it is the caller's to remove
 */
public record CampaignSettings(
        long seed,
        Duration budget,
        long mostTrials,
        int lanes,
        int roughLanes,
        List<String> redis,
        Path folder) {
    /** As many as keep two cores busy. */
    public static final int LANES = 48;

    /** Most of them wait for something. */
    public static final int ROUGH_LANES = 64;

    /**
     * @throws IllegalArgumentException if a number is out of range
     */
    public CampaignSettings {
        redis = List.copyOf(redis);
        if (!budget.isPositive() || mostTrials < 1) {
            throw new IllegalArgumentException("a campaign has a budget and a trial at least");
        }
        if (lanes < 0 || roughLanes < 0 || lanes + roughLanes < 1 || redis.isEmpty()) {
            throw new IllegalArgumentException("a campaign has a lane and a Redis at least");
        }
    }
}
