package dev.headstone.proof.model;

import dev.headstone.cache.LeaseAttempt;
import dev.headstone.proof.model.Scripted.Arrival;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What each actor does next, for each history. Production code is run once for each: from there on
 * it is looked up.
 */
final class Actors {
    private final Setup setup;
    private final Numbers<Object> answers;
    private final Numbers<Call> calls;
    private final Optional<Instant> fixed;
    private final List<Program> programs;
    private final List<List<History>> histories = new ArrayList<>();

    Actors(Setup setup, Numbers<Object> answers, Numbers<Call> calls) {
        this.setup = setup;
        this.answers = answers;
        this.calls = calls;
        this.fixed =
                setup.times().size() == 1
                        ? Optional.of(setup.times().getFirst())
                        : Optional.empty();
        this.programs = setup.actors().stream().map(actor -> actor.program().get()).toList();
        for (int actor = 0; actor < setup.actors().size(); actor++) {
            histories.add(new ArrayList<>());
            run(actor, null, -1);
        }
    }

    /** The history of that number; 0 is the empty one. */
    History get(int actor, int id) {
        return histories.get(actor).get(id);
    }

    /** How many runs of production code there were. */
    int runs() {
        return histories.stream().mapToInt(List::size).sum();
    }

    /** What comes after {@code history} if its call, or its arrival, is answered so. */
    History after(int actor, History history, int answer) {
        History known = history.after(answer);
        if (known != null) {
            return known;
        }
        History next = run(actor, history, answer);
        history.follow(answer, next);
        return next;
    }

    private History run(int actor, @Nullable History before, int answer) {
        Actor who = setup.actors().get(actor);
        ArrayDeque<Object> given = new ArrayDeque<>();
        int reported = 0;
        if (before != null) {
            given.addFirst(answers.get(answer));
        }
        for (History at = before; at != null; at = at.before) {
            reported += at.reports.size();
            if (at.before != null) {
                given.addFirst(answers.get(at.answer));
            }
        }
        Scripted run = new Scripted(new ArrayList<>(given));
        List<Report> reports = new ArrayList<>();
        Ports ports = new Ports(run, who.party(), setup.rules(), fixed, who.skew());
        try {
            programs.get(actor).run(ports, reports);
        } catch (Scripted.Frontier _) {
            // where the run stands is in the script
        }
        return keep(actor, before, answer, run, reports.subList(reported, reports.size()));
    }

    private History keep(
            int actor, @Nullable History before, int answer, Scripted run, List<Report> reports) {
        List<History> known = histories.get(actor);
        int lease = before == null ? 0 : before.lease;
        int leases = before == null ? 0 : before.leases;
        boolean joined = before != null && before.joined;
        if (before != null) {
            Object given = answers.get(answer);
            joined |= given instanceof Arrival;
            if (given instanceof LeaseAttempt.Taken(var taken)) {
                lease = Tokens.number(taken.token());
                leases++;
            } else if (before.next instanceof Call.Settle && !(given instanceof Arrival)) {
                lease = 0;
            }
        }
        Call next = run.frontier();
        if (next instanceof Call.Settle settle) {
            int used = Tokens.number(settle.lease().token());
            if (used != 0 && used != lease) {
                throw new IllegalStateException("a lease that is not the latest is used");
            }
        }
        History history =
                new History(
                        known.size(),
                        before,
                        answer,
                        next,
                        next == null ? -1 : calls.of(next),
                        List.copyOf(reports),
                        lease,
                        leases,
                        joined);
        if (history.id >= LinkWorld.DONE) {
            throw new IllegalStateException("an actor with too many histories");
        }
        known.add(history);
        return history;
    }
}
