package dev.headstone.table;

import dev.headstone.link.ShortCode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Optional;

final class InMemoryVisitTableTest extends VisitTableContract {
    private final InMemoryLinkTable links = new InMemoryLinkTable();
    private final InMemoryVisitTable visits = new InMemoryVisitTable(links);

    @Override
    protected LinkTable links() {
        return links;
    }

    @Override
    protected VisitTable visits() {
        return visits;
    }

    @Override
    protected NotableLinks lists() {
        return visits;
    }

    @Override
    protected Optional<Instant> purgeAt(ShortCode code, long epoch, LocalDate day) {
        return visits.purgeAt(code, epoch, YearMonth.from(day));
    }
}
