package dev.headstone.proof.campaign;

import dev.headstone.link.Cause;
import dev.headstone.link.Link;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import dev.headstone.table.ChangeOutcome;
import dev.headstone.table.CreateOutcome;
import dev.headstone.table.Idempotency;
import dev.headstone.table.IdempotencyRead;
import dev.headstone.table.TableRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of one trial: one item at the most, with all its versions, its stream and its entries
 * in the index of deaths. Never fails; that is for whoever stands in front of it. Safe for use by
 * several threads.
 */
final class TrialTable {
    private final List<Link> versions = new ArrayList<>();
    private final List<Link> deaths = new ArrayList<>();
    private final List<StreamRecord> stream = new ArrayList<>();
    private @Nullable Idempotency answer;

    synchronized TableRead read() {
        return versions.isEmpty()
                ? new TableRead.Absent()
                : new TableRead.Found(versions.getLast());
    }

    synchronized IdempotencyRead recall(String key) {
        return answer != null && answer.key().equals(key)
                ? new IdempotencyRead.Stored(answer)
                : new IdempotencyRead.Unused();
    }

    synchronized CreateOutcome create(Link link, Optional<Idempotency> idempotency) {
        if (idempotency.isPresent()
                && answer != null
                && answer.key().equals(idempotency.get().key())) {
            return new CreateOutcome.KeyTaken();
        }
        if (!versions.isEmpty()) {
            return new CreateOutcome.CodeTaken();
        }
        idempotency.ifPresent(stored -> answer = stored);
        commit(Optional.empty(), link);
        return new CreateOutcome.Created();
    }

    /** As the real one: a repeated change is the same change. */
    synchronized ChangeOutcome change(Link before, Link after) {
        if (versions.isEmpty()) {
            return new ChangeOutcome.Conflict();
        }
        Link present = versions.getLast();
        if (present.lastChange().id().equals(after.lastChange().id())) {
            return new ChangeOutcome.Changed();
        }
        if (present.epoch() != before.epoch() || present.version() != before.version()) {
            return new ChangeOutcome.Conflict();
        }
        commit(Optional.of(present), after);
        return new ChangeOutcome.Changed();
    }

    private void commit(Optional<Link> before, Link after) {
        versions.add(after);
        stream.add(new StreamRecord(stream.size() + 1, before, after));
        if (after.isDead()) {
            deaths.add(after);
        }
    }

    /** The latest version's number, 0 if there is no item. */
    synchronized long latest() {
        return versions.isEmpty() ? 0 : versions.getLast().version();
    }

    synchronized Optional<Link> item() {
        return versions.isEmpty() ? Optional.empty() : Optional.of(versions.getLast());
    }

    /** Whether the link was alive (or dead) in one of its versions from {@code first} on. */
    synchronized boolean was(boolean alive, long first) {
        return versions.stream()
                .anyMatch(
                        link ->
                                link.version() >= first
                                        && link.standing() instanceof Alive == alive);
    }

    synchronized List<Link> deaths() {
        return List.copyOf(deaths);
    }

    /** What the stream says from record {@code first} on, counted from 0. */
    synchronized List<StreamRecord> stream(int first) {
        return List.copyOf(stream.subList(first, stream.size()));
    }

    /** The ids of the events that its committed changes are due, in order. */
    synchronized List<String> committedEvents() {
        return stream.stream().map(TrialTable::eventId).toList();
    }

    private static String eventId(StreamRecord record) {
        Link after = record.after();
        return "committed."
                + after.code()
                + "."
                + after.epoch()
                + "."
                + after.version()
                + "."
                + record.before().map(before -> typeOf(before, after)).orElse("link.created");
    }

    /** Said once more, on purpose, and not taken from what is checked. */
    private static String typeOf(Link before, Link after) {
        if (after.standing() instanceof Dead(Cause cause, var _)) {
            return switch (cause) {
                case TAKEDOWN -> "link.taken_down";
                case DEACTIVATED -> "link.deactivated";
                case EXHAUSTED -> "link.exhausted";
            };
        }
        if (before.standing() instanceof Dead(Cause cause, var _)) {
            return cause == Cause.DEACTIVATED ? "link.reactivated" : "link.restored";
        }
        return "link.changed";
    }
}
