package dev.headstone.stream;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import dev.headstone.audit.AuditQueue;
import dev.headstone.cache.Settler;
import dev.headstone.table.VisitTable;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The event source mapping's way in: translates the event in and the outcome out, and decides
 * nothing.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html">
 *     Partial batch responses</a>
 */
public final class StreamHandler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
    private final Backstop backstop;

    /**
     * @param settler brings the cache in line with the table
     * @param parking where records go that nobody can apply
     * @param comparisons hears of each change that has been settled
     */
    public StreamHandler(
            Settler settler,
            AuditQueue audit,
            Parking parking,
            Comparisons comparisons,
            MeterRegistry meters) {
        this.backstop =
                new Backstop(settler, audit, parking, comparisons, Optional.empty(), meters);
    }

    /**
     * @param visits what is counted for a link there is kept as long as the link
     */
    public StreamHandler(
            Settler settler,
            AuditQueue audit,
            Parking parking,
            Comparisons comparisons,
            VisitTable visits,
            MeterRegistry meters) {
        this.backstop =
                new Backstop(settler, audit, parking, comparisons, Optional.of(visits), meters);
    }

    /** Whose changes nobody compares later. */
    public StreamHandler(Settler settler, AuditQueue audit, Parking parking, MeterRegistry meters) {
        this(settler, audit, parking, Comparisons.none(), meters);
    }

    /**
     * Applies the records in order until one fails.
     *
     * @throws IllegalStateException if a record failed that has no sequence number to report: the
     *     whole batch comes again then, while an empty identifier would do nobody knows what
     */
    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
        if (event.getRecords() == null) {
            return new StreamsEventResponse(List.of());
        }
        List<StreamEntry> entries = event.getRecords().stream().map(StreamRecords::read).toList();
        return new StreamsEventResponse(
                backstop.applyUntilFailure(entries).map(StreamHandler::failure).stream().toList());
    }

    private static BatchItemFailure failure(StreamEntry entry) {
        Optional<String> sequenceNumber = entry.sequenceNumber();
        return new BatchItemFailure(
                sequenceNumber.orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "a record without a sequence number was not settled")));
    }
}
