package dev.headstone.standalone.control;

import dev.headstone.auditlog.AuditAnswer;
import dev.headstone.auditlog.AuditQuery;
import dev.headstone.auditlog.AuditReader;
import dev.headstone.writer.ControlResponse;
import dev.headstone.writer.Problem;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the control port answers of the audit log. Safe for use by several threads. */
final class AuditApi {
    private static final Logger log = LoggerFactory.getLogger(AuditApi.class);
    private static final Set<String> PAGE =
            new TreeSet<>(Set.of("code", "since", "limit", "cursor"));
    private static final Set<String> VERIFY = Set.of("code");

    private final AuditReader reader;

    AuditApi(AuditReader reader) {
        this.reader = reader;
    }

    ControlResponse page(String query) {
        return answer(
                query,
                PAGE,
                read ->
                        reader.page(
                                new AuditQuery(
                                        read.value("code"),
                                        read.value("since"),
                                        read.value("limit"),
                                        read.value("cursor"))));
    }

    ControlResponse verify(String query) {
        return answer(query, VERIFY, read -> reader.verify(read.value("code")));
    }

    private static ControlResponse answer(
            String query, Set<String> known, Function<Query, AuditAnswer> question) {
        return switch (Query.read(query, known)) {
            case Query.Reading.Valid(Query read) -> answer(question.apply(read));
            case Query.Reading.Rejected(String field, String why) -> rejected(field, why);
        };
    }

    private static ControlResponse answer(AuditAnswer answer) {
        return switch (answer) {
            case AuditAnswer.Found(String json) -> ControlResponse.json(200, json);
            case AuditAnswer.Rejected(String field, String problem) ->
                    rejected(field, "The value is " + problem + ".");
            case AuditAnswer.Unavailable(Exception cause) -> {
                log.atWarn().addKeyValue("cause", cause.toString()).log("audit log not readable");
                yield Problem.of(503, "The audit log cannot be read now; try again.").response();
            }
        };
    }

    private static ControlResponse rejected(String field, String why) {
        return Problem.of(422, why).field(field).response();
    }
}
