package dev.headstone.proof.model;

import dev.headstone.cache.CacheRecord;
import dev.headstone.cache.CacheRecordJson;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Alive;
import dev.headstone.proof.model.Actor.Start;
import dev.headstone.proof.script.MemoryRedis.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Who and what appears in the rows. */
final class Cast {
    private static final Instant CREATED = LinkWorld.START.minus(Duration.ofDays(1));

    private Cast() {}

    /** A live link in its first version. */
    static Link link() {
        return link(Optional.empty(), OptionalLong.empty());
    }

    /** A live link in its first version, made just now. */
    static Link youngLink() {
        return copy(link(), 1, LinkWorld.START);
    }

    /** The record of {@code link} in another version. */
    static Value recordOf(Link link, long version) {
        CacheRecord record =
                CacheRecord.of(
                        copy(link, version, link.createdAt()), LinkWorld.START, LinkWorld.START);
        return new Value.Text(
                new String(CacheRecordJson.encode(record), StandardCharsets.ISO_8859_1));
    }

    private static Link copy(Link link, long version, Instant createdAt) {
        return new Link(
                link.code(),
                link.longUrl(),
                link.host(),
                link.standing(),
                version,
                createdAt,
                link.lastChange(),
                link.expiresAt(),
                link.purgeAt(),
                link.owner(),
                link.tags(),
                link.visitLimit(),
                link.visits());
    }

    /** A live link that ends at that instant. */
    static Link until(Instant end) {
        return link(Optional.of(end), OptionalLong.empty());
    }

    /** A live link that is good for so many visits. */
    static Link limited(long visits) {
        return link(Optional.empty(), OptionalLong.of(visits));
    }

    private static Link link(Optional<Instant> end, OptionalLong limit) {
        return new Link(
                Programs.CODE,
                Optional.of("https://example.com/"),
                Optional.of("example.com"),
                new Alive(),
                1,
                CREATED,
                new LastChange(CREATED, "carol", Optional.empty(), "create-1"),
                end,
                end,
                Optional.empty(),
                List.of(),
                limit,
                0);
    }

    /** The first click, the second, … */
    static Actor click(int number) {
        return new Actor("click " + number, Party.READER, clicks(number - 1, false, false));
    }

    /** A click to a process that uses hits only as trust allows. */
    static Actor trustingClick(int number) {
        return new Actor("click " + number, Party.READER, clicks(number - 1, false, true));
    }

    /** Two clicks in one process. */
    static Actor process() {
        return new Actor("click 1+2", Party.READER, clicks(0, true, false));
    }

    private static Supplier<Program> clicks(int number, boolean another, boolean trusting) {
        return () -> new Clicks(number, another, trusting);
    }

    static Actor takedown() {
        return new Actor("takedown", Party.WRITER, Programs.takedown("olga"));
    }

    /** The same operator asks once more. */
    static Actor takedownAgain() {
        return new Actor("takedown again", Party.WRITER, Programs.takedown("olga", "once more"));
    }

    static Actor anotherTakedown() {
        return new Actor("another's takedown", Party.WRITER, Programs.takedown("oscar"));
    }

    static Actor restore() {
        return new Actor("restore", Party.WRITER, Programs.restore("otto"), Start.LINK_IS_DEAD);
    }

    static Actor confirm() {
        return new Actor("confirm", Party.WRITER, Programs.confirm("ophelia"), Start.LINK_IS_DEAD);
    }

    static Actor deactivate() {
        return new Actor(
                "deactivate",
                Party.WRITER,
                Programs.set("deactivated", "oona"),
                Start.LINK_IS_ALIVE);
    }

    static Actor reactivate() {
        return new Actor(
                "reactivate", Party.WRITER, Programs.set("active", "owen"), Start.LINK_IS_DEAD);
    }

    static Actor creation() {
        return new Actor("create", Party.WRITER, Programs.create("otto"), Start.LINK_IS_ABSENT);
    }

    /** Somebody edits the item past all conditions, and forgets the version. */
    static Actor hand() {
        return new Actor("somebody's hand", Party.WRITER, Programs.killByHand());
    }

    /** The consumer, with the first record of the stream, the second, … */
    static Actor repair(int number) {
        return new Actor("repair " + number, Party.CONSUMER, Programs.repair(number - 1));
    }

    /** The consumer with the same record once more. */
    static Actor repairAgain(int number) {
        return new Actor(
                "repair " + number + " again", Party.CONSUMER, Programs.repair(number - 1));
    }

    static Actor sweep() {
        return new Actor("sweep", Party.SWEEP, Programs.sweep(), Start.RUN_IS_NOT_SWEPT);
    }
}
