package dev.headstone.standalone.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.headstone.stream.SweepOutcome;
import dev.headstone.writer.Caller;
import dev.headstone.writer.ControlRequest;
import dev.headstone.writer.ControlResponse;
import dev.headstone.writer.Problem;
import dev.headstone.writer.Role;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Sweeps by hand, for operators, one at a time. Safe for use by several threads. */
final class SweepApi {
    private final Supplier<SweepOutcome> sweep;
    private final Semaphore turn = new Semaphore(1);

    SweepApi(Supplier<SweepOutcome> sweep) {
        this.sweep = sweep;
    }

    /** {@code {"outcome": "swept", "run", "settled", "seconds"}}, or 503 if it was not finished. */
    ControlResponse answer(ControlRequest request, Caller caller) {
        if (!request.method().equals("POST")) {
            return Problem.of(405, "Only POST is answered here.").response().with("Allow", "POST");
        }
        if (caller.role() != Role.OPERATOR) {
            return Problem.of(403, "Only operators may sweep.").response();
        }
        if (!turn.tryAcquire()) {
            return Problem.of(409, "A sweep that was asked for is under way.").response();
        }
        try {
            return answer(sweep.get());
        } finally {
            turn.release();
        }
    }

    private static ControlResponse answer(SweepOutcome outcome) {
        return switch (outcome) {
            case SweepOutcome.Swept swept ->
                    ControlResponse.json(
                            200,
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put("outcome", "swept")
                                    .put("run", swept.run().name())
                                    .put("settled", swept.settled())
                                    .put("seconds", swept.took().toMillis() / 1e3)
                                    .toString());
            case SweepOutcome.RunChanged _ ->
                    Problem.of(503, "The cache changed under the sweep.")
                            .outcome("run_changed")
                            .response();
            case SweepOutcome.Unfinished(String why) ->
                    Problem.of(503, "The sweep is not finished: " + why + ".")
                            .outcome("unfinished")
                            .response();
        };
    }
}
