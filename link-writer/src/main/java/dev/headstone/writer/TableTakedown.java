package dev.headstone.writer;

import dev.headstone.audit.Trace;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.LinkTable;
import dev.headstone.table.TableRead;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The first half of a takedown, for who reaches the table and not the cache: the death, made under
 * the same rules as everywhere. It is not to be reported before it is confirmed, which {@link
 * InvalidationLambda} does. Safe for use by several threads.
 */
public final class TableTakedown {
    private final LinkTable table;
    private final InstantSource clock;
    private final RandomIds ids;

    /**
     * @param random unpredictable in production, for it makes the ids of changes
     */
    public TableTakedown(LinkTable table, InstantSource clock, RandomGenerator random) {
        this.table = table;
        this.clock = clock;
        this.ids = new RandomIds(random);
    }

    /** What became of it. */
    public sealed interface Result {
        /** The table holds this death, now or since an earlier attempt of the same actor. */
        record Made(Death death) implements Result {}

        /** The state of the link forbids it. */
        record Refused(Link link, Ground ground) implements Result {}

        /** There is no such link. */
        record NoSuchLink() implements Result {}

        /** The table holds something that is no link; a retry would not help. */
        record Unreadable(String why) implements Result {}

        /** Nothing was changed: the table did not answer, or others changed the link each time. */
        record NotMade(String why) implements Result {}

        /** The table's answer was lost: nobody knows whether the change was made. */
        record InDoubt(String why) implements Result {}
    }

    /**
     * Makes the death. Blocks, a little longer than {@link LinkChanges#DEADLINE} at the most.
     *
     * @param actor as the authentication knows him
     */
    public Result takeDown(ShortCode code, Reason reason, String actor) {
        return new Run(code, reason, new Caller(actor, Role.OPERATOR)).carryOut();
    }

    /** One request while it is carried out. For one thread. */
    private final class Run {
        private final ShortCode code;
        private final Wish wish;
        private final Caller caller;
        private final Instant deadline = clock.instant().plus(LinkChanges.DEADLINE);
        private final Set<String> tried = new HashSet<>();
        private LastChange next;
        private Result otherwise = new Result.NotMade("others changed the link each time");

        Run(ShortCode code, Reason reason, Caller caller) {
            this.code = code;
            this.wish = new Wish.TakeDown(reason);
            this.caller = caller;
            this.next = newChange();
        }

        private LastChange newChange() {
            return new LastChange(
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    caller.name(),
                    wish.reason(),
                    ChangeKind.TAKEDOWN.newId(ids),
                    Trace.current().map(Trace::root));
        }

        Result carryOut() {
            for (int attempt = 0; attempt < LinkChanges.MOST_ATTEMPTS && inTime(); attempt++) {
                Optional<Result> result = attempt();
                if (result.isPresent()) {
                    return result.get();
                }
            }
            return otherwise;
        }

        private boolean inTime() {
            return clock.instant().isBefore(deadline);
        }

        private Optional<Result> attempt() {
            return switch (table.read(code)) {
                case TableRead.Found(Link link) -> decide(link);
                case TableRead.Absent _ -> Optional.of(new Result.NoSuchLink());
                case TableRead.Unreadable(String why) -> Optional.of(new Result.Unreadable(why));
                case TableRead.Failed(Exception cause) -> {
                    if (!(otherwise instanceof Result.InDoubt)) {
                        otherwise = new Result.NotMade(cause.toString());
                    }
                    yield Optional.empty();
                }
            };
        }

        private Optional<Result> decide(Link link) {
            if (tried.contains(link.lastChange().id())) {
                return Optional.of(made(link)); // ours landed, only its reply was lost
            }
            return switch (Verdict.of(link, wish, caller, next)) {
                case Verdict.Make(Link after) -> make(link, after);
                case Verdict.Stands _ -> Optional.of(made(link));
                case Verdict.Refuse(Ground ground) -> Optional.of(new Result.Refused(link, ground));
                case Verdict.Forbid _ ->
                        throw new IllegalStateException("an operator may take down any link");
            };
        }

        private Optional<Result> make(Link before, Link after) {
            tried.add(next.id());
            return switch (table.change(before, after)) {
                case ChangeOutcome.Changed _ -> Optional.of(made(after));
                case ChangeOutcome.Conflict _ -> {
                    next = newChange(); // one client token must not stand for two changes
                    yield Optional.empty();
                }
                case ChangeOutcome.Failed(Exception cause) -> {
                    otherwise = new Result.InDoubt(cause.toString());
                    yield Optional.empty();
                }
            };
        }

        private static Result made(Link link) {
            return switch (link.standing()) {
                case Dead(var _, Instant deletedAt) ->
                        new Result.Made(
                                new Death(link.code(), link.epoch(), link.version(), deletedAt));
                case Alive _ -> throw new IllegalStateException("a takedown left a link alive");
            };
        }
    }
}
