package dev.headstone.proof.model;

import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Alive;
import dev.headstone.proof.model.Actor.Start;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Who and what appears in the rows. */
final class Cast {
    private static final Instant CREATED = LinkWorld.START.minus(Duration.ofDays(1));

    private Cast() {}

    /** A live link in its first version. */
    static Link link() {
        return link(Optional.empty(), OptionalLong.empty());
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
        return new Actor("click " + number, Party.READER, Programs.click(number - 1));
    }

    /** Two clicks in one process. */
    static Actor process() {
        return new Actor("click 1+2", Party.READER, Programs.clickAndAnother(0));
    }

    static Actor takedown() {
        return new Actor("takedown", Party.WRITER, Programs.takedown("olga"));
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

    static Actor create() {
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
