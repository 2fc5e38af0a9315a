package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a verification notices, in memory as in the table. */
abstract class LogVerificationContract {
    /** The log under test, empty. */
    protected abstract AuditLog log();

    /** A way into that log behind its back. */
    protected abstract Tampering tampering();

    @Test
    void findsNothingInAnEmptyLog() {
        assertThat(verify().toJson())
                .isEqualTo("{\"ok\":true,\"links\":0,\"events\":0,\"faults\":[]}");
    }

    @Test
    void findsNothingInALogThatNobodyTouched() {
        fill();

        assertThat(verify().toJson())
                .isEqualTo("{\"ok\":true,\"links\":3,\"events\":11,\"faults\":[]}");
    }

    @Test
    void findsNothingInMoreEventsThanAreCheckedAtOnce() {
        for (int i = 0; i < 250; i++) {
            log().append(Bodies.takedown("e-" + i, "abc"));
        }

        assertThat(verify()).isEqualTo(verification(1, 250));
    }

    @Test
    void noticesAnEventThatIsMissingInTheMiddle() {
        fill();
        tampering().remove(new Place("abc", 3));

        assertThat(verify()).isEqualTo(verification(3, 10, gap("abc", 3)));
    }

    @Test
    void noticesThatTheBeginningIsMissing() {
        fill();
        tampering().remove(new Place("abc", 1));
        tampering().remove(new Place("abc", 2));

        assertThat(verify()).isEqualTo(verification(3, 9, gap("abc", 1)));
    }

    @Test
    void noticesAnEventThatIsMissingTogetherWithItsMarker() {
        fill();
        tampering().remove(new Place("abc", 3));
        tampering().removeMarker("abc-3");

        assertThat(verify()).isEqualTo(verification(3, 10, gap("abc", 3)));
    }

    @Test
    void noticesThatTheEndIsMissing() {
        fill();
        tampering().remove(new Place("abc", 5));

        assertThat(verify()).isEqualTo(verification(3, 10, truncated("abc", 5)));
    }

    @Test
    void noticesThatAWholeChainIsMissing() {
        fill();
        tampering().remove(new Place(":host", 1));

        assertThat(verify()).isEqualTo(verification(2, 10, truncated(":host", 1)));
    }

    @Test
    void noticesAChangedText() {
        fill();
        Event event = event("abc", 3);
        put(event, changed(event.body()), event.prevHash(), event.hash());

        assertThat(verify()).isEqualTo(verification(3, 11, edited("abc", 3)));
    }

    @Test
    void noticesAChangedTextWithAHashToMatch() {
        fill();
        Event event = event("abc", 3);
        String body = changed(event.body());
        put(event, body, event.prevHash(), ChainHash.of(event.prevHash(), 3, body));

        assertThat(verify().faults()).containsExactlyInAnyOrder(fork("abc", 4), edited("abc", 3));
    }

    @Test
    void noticesAChangedLastTextWithAHashToMatch() {
        fill();
        Event event = event("abc", 5);
        String body = changed(event.body());
        put(event, body, event.prevHash(), ChainHash.of(event.prevHash(), 5, body));

        assertThat(verify()).isEqualTo(verification(3, 11, edited("abc", 5)));
    }

    @Test
    void noticesAChangedHash() {
        fill();
        Event event = event("abc", 5);
        put(event, event.body(), event.prevHash(), ChainHash.sha256("other"));

        assertThat(verify()).isEqualTo(verification(3, 11, edited("abc", 5)));
    }

    @Test
    void noticesAnEventThatContinuesAnotherHistory() {
        fill();
        Event event = event("abc", 3);
        String elsewhere = ChainHash.sha256("elsewhere");
        put(event, event.body(), elsewhere, ChainHash.of(elsewhere, 3, event.body()));

        assertThat(verify()).isEqualTo(verification(3, 11, fork("abc", 3), fork("abc", 4)));
    }

    @Test
    void noticesAFirstEventThatContinuesSomething() {
        fill();
        Event event = event(":host", 1);
        String elsewhere = ChainHash.sha256("elsewhere");
        put(event, event.body(), elsewhere, ChainHash.of(elsewhere, 1, event.body()));

        assertThat(verify()).isEqualTo(verification(3, 11, fork(":host", 1)));
    }

    @Test
    void noticesAnEventThatNobodyAppended() {
        fill();
        Event last = event("abc", 5);
        String body = Bodies.takedown("forged", "abc").body();
        String hash = ChainHash.of(last.hash(), 6, body);
        tampering().put(new Event("abc", 6, body, last.hash(), hash, last.recordedAt()));

        assertThat(verify()).isEqualTo(verification(3, 12, edited("abc", 6)));
    }

    @Test
    void noticesAnEventThatWasCopiedIntoAnotherChain() {
        fill();
        Event original = event("abc", 1);
        tampering()
                .put(
                        new Event(
                                "new",
                                1,
                                original.body(),
                                original.prevHash(),
                                original.hash(),
                                original.recordedAt()));

        assertThat(verify()).isEqualTo(verification(4, 12, edited("new", 1)));
    }

    @Test
    void noticesAnEventThatWasPutASecondTime() {
        fill();
        Event last = event("abc", 5);
        String hash = ChainHash.of(last.hash(), 6, last.body());
        tampering().put(new Event("abc", 6, last.body(), last.hash(), hash, last.recordedAt()));

        assertThat(verify()).isEqualTo(verification(3, 12, edited("abc", 6)));
    }

    @Test
    void noticesAMissingMarker() {
        fill();
        tampering().removeMarker("abc-2");

        assertThat(verify()).isEqualTo(verification(3, 11, edited("abc", 2)));
    }

    @Test
    void noticesAMarkerThatPointsToAnotherPlace() {
        fill();
        Event event = event("abc", 2);
        tampering().put(new Marker("abc-2", "abc", 9, ChainHash.sha256(event.body())));

        assertThat(verify().faults())
                .containsExactlyInAnyOrder(edited("abc", 2), truncated("abc", 9));
    }

    @Test
    void noticesATextThatIsNoEvent() {
        fill();
        Event event = event("abc", 5);
        put(event, "{", event.prevHash(), ChainHash.of(event.prevHash(), 5, "{"));

        assertThat(verify()).isEqualTo(verification(3, 11, edited("abc", 5)));
    }

    @Test
    void noticesEachFaultOfManyChains() {
        fill();
        tampering().remove(new Place("abc", 2));
        tampering().remove(new Place("xyz", 5));
        Event event = event(":host", 1);
        put(event, changed(event.body()), event.prevHash(), event.hash());

        assertThat(verify().faults())
                .containsExactlyInAnyOrder(gap("abc", 2), truncated("xyz", 5), edited(":host", 1));
    }

    @Test
    void verifiesOneChainAlone() {
        fill();
        tampering().remove(new Place("abc", 5));
        tampering().remove(new Place("xyz", 2));

        assertThat(verify("abc")).isEqualTo(verification(1, 4, truncated("abc", 5)));
        assertThat(verify("xyz")).isEqualTo(verification(1, 4, gap("xyz", 2)));
        assertThat(verify(":host")).isEqualTo(verification(1, 1));
        assertThat(verify("none")).isEqualTo(verification(0, 0));
    }

    /** Five events about each of two links, and one about a host. */
    private void fill() {
        IntStream.rangeClosed(1, 5)
                .forEach(
                        i -> {
                            log().append(Bodies.takedown("abc-" + i, "abc"));
                            log().append(Bodies.takedown("xyz-" + i, "xyz"));
                        });
        log().append(Bodies.hostBlocked("host-1"));
    }

    private Event event(String chain, long seq) {
        return log().chain(chain, seq - 1, Optional.empty(), 1).events().getFirst();
    }

    private void put(Event event, String body, String prevHash, String hash) {
        tampering()
                .put(
                        new Event(
                                event.chain(),
                                event.seq(),
                                body,
                                prevHash,
                                hash,
                                event.recordedAt()));
    }

    private static String changed(String body) {
        return body.replace("alice", "mallory");
    }

    private Verification verify() {
        return new LogVerifier(log()).verify(Optional.empty());
    }

    private Verification verify(String chain) {
        return new LogVerifier(log()).verify(Optional.of(chain));
    }

    private static Verification verification(long links, long events, Fault... faults) {
        return new Verification(links, events, List.of(faults));
    }

    private static Fault gap(String chain, long seq) {
        return new Fault(chain, Fault.Kind.GAP, seq);
    }

    private static Fault fork(String chain, long seq) {
        return new Fault(chain, Fault.Kind.FORK, seq);
    }

    private static Fault edited(String chain, long seq) {
        return new Fault(chain, Fault.Kind.EDITED, seq);
    }

    private static Fault truncated(String chain, long seq) {
        return new Fault(chain, Fault.Kind.TRUNCATED, seq);
    }
}
