package dev.headstone.proof.model;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an actor stands: everything that its ports answered so far, and what it does next. One
 * object for each history, so that each is executed once.
 */
final class History {
    final int id;
    final @Nullable History before;

    /** The number of the answer that led here from {@link #before}; -1 in an empty history. */
    final int answer;

    /** What is called next; null if the actor is done. */
    final @Nullable Call next;

    /** The number of {@link #next} among the calls that change the cache or the table. */
    final int number;

    /** What was reported since {@link #before}. */
    final List<Report> reports;

    /** The lease that it may still use, 0 for none. */
    final int lease;

    /** How many leases it has taken. */
    final int leases;

    /** Whether the second click of the process has come in. */
    final boolean joined;

    private int[] answers = new int[4];
    private @Nullable History[] after = new @Nullable History[4];
    private int size;

    History(
            int id,
            @Nullable History before,
            int answer,
            @Nullable Call next,
            int number,
            List<Report> reports,
            int lease,
            int leases,
            boolean joined) {
        this.id = id;
        this.before = before;
        this.answer = answer;
        this.next = next;
        this.number = number;
        this.reports = reports;
        this.lease = lease;
        this.leases = leases;
        this.joined = joined;
    }

    @Nullable History after(int given) {
        for (int i = 0; i < size; i++) {
            if (answers[i] == given) {
                return after[i];
            }
        }
        return null;
    }

    void follow(int given, History history) {
        if (size == answers.length) {
            answers = Arrays.copyOf(answers, size * 2);
            after = Arrays.copyOf(after, size * 2);
        }
        answers[size] = given;
        after[size++] = history;
    }
}
