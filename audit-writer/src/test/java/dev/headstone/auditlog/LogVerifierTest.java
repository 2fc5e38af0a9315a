package dev.headstone.auditlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headstone.auditlog.LogEntry.Event;
import dev.headstone.auditlog.LogEntry.Marker;
import dev.headstone.auditlog.LogEntry.Place;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class LogVerifierTest extends LogVerificationContract {
    private static final List<String> CODES = List.of("abc", "ABC", "x-1", "_zz");

    private final InMemoryAuditLog log = new InMemoryAuditLog(InstantSource.fixed(Bodies.AT));

    @Override
    protected AuditLog log() {
        return log;
    }

    @Override
    protected Tampering tampering() {
        return log;
    }

    @Property(tries = 200)
    void aLogThatWasOnlyAppendedToVerifies(
            @ForAll @Size(max = 60) List<@IntRange(max = 3) Integer> codes,
            @ForAll @Size(max = 60) List<@StringLength(min = 1, max = 40) String> reasons) {
        InMemoryAuditLog random = filled(codes, reasons);

        Verification verification = new LogVerifier(random).verify(Optional.empty());

        int events = Math.min(codes.size(), reasons.size());
        Set<Integer> links = new HashSet<>(codes.subList(0, events));
        assertThat(verification).isEqualTo(new Verification(links.size(), events, List.of()));
    }

    @Property(tries = 300)
    void nothingThatIsDoneToOneEventGoesUnnoticed(
            @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 3) Integer> codes,
            @ForAll int victim,
            @ForAll Harm harm) {
        InMemoryAuditLog random = filled(codes, Collections.nCopies(codes.size(), "phishing"));
        List<Event> events = new ArrayList<>();
        random.sweep(
                Optional.empty(),
                entry -> {
                    if (entry instanceof Event event) {
                        events.add(event);
                    }
                });

        harm.doTo(random, events.get(Math.floorMod(victim, events.size())));

        assertThat(new LogVerifier(random).verify(Optional.empty()).ok()).isFalse();
    }

    /** What may be done to an event. */
    enum Harm {
        REMOVE {
            @Override
            void doTo(Tampering log, Event event) {
                log.remove(new Place(event.chain(), event.seq()));
            }
        },
        MOVE_TO_THE_NEXT_PLACE {
            @Override
            void doTo(Tampering log, Event event) {
                log.remove(new Place(event.chain(), event.seq()));
                log.put(
                        new Event(
                                event.chain(),
                                event.seq() + 1,
                                event.body(),
                                event.prevHash(),
                                event.hash(),
                                event.recordedAt()));
            }
        },
        CHANGE_THE_TEXT {
            @Override
            void doTo(Tampering log, Event event) {
                log.put(with(event, event.body() + " ", event.prevHash(), event.hash()));
            }
        },
        CHANGE_TEXT_AND_HASH {
            @Override
            void doTo(Tampering log, Event event) {
                String body = event.body() + " ";
                String hash = ChainHash.of(event.prevHash(), event.seq(), body);
                log.put(with(event, body, event.prevHash(), hash));
            }
        },
        CHANGE_THE_PREDECESSOR {
            @Override
            void doTo(Tampering log, Event event) {
                String elsewhere = "f".repeat(64);
                String hash = ChainHash.of(elsewhere, event.seq(), event.body());
                log.put(with(event, event.body(), elsewhere, hash));
            }
        };

        abstract void doTo(Tampering log, Event event);

        private static Event with(Event event, String body, String prevHash, String hash) {
            return new Event(event.chain(), event.seq(), body, prevHash, hash, event.recordedAt());
        }
    }

    @Test
    void isNotMisledByASweepThatHandsOutAChainInPieces() {
        for (int i = 0; i < 40; i++) {
            log.append(Bodies.takedown("e-" + i, CODES.get(i % 2)));
        }

        Verification verification =
                new LogVerifier(new Shuffled(log, new Random(7))).verify(Optional.empty());

        assertThat(verification).isEqualTo(new Verification(2, 40, List.of()));
    }

    @Test
    void isNotMisledByAWriterThatGoesOnMeanwhile() {
        log.append(Bodies.takedown("e-1", "abc"));
        AuditLog busy =
                new Shuffled(log, new Random(7)) {
                    @Override
                    public void sweep(Optional<String> chain, Consumer<LogEntry> each) {
                        super.sweep(
                                chain,
                                entry -> {
                                    each.accept(entry);
                                    log.append(
                                            Bodies.takedown("late-" + log.lastSeq("abc"), "abc"));
                                });
                    }
                };

        assertThat(new LogVerifier(busy).verify(Optional.empty()).ok()).isTrue();
    }

    @Test
    void namesAThousandFaultsAtTheMost() {
        for (int i = 0; i < LogVerifier.MOST_FAULTS + 50; i++) {
            log.put(new Marker("m-" + i, "abc", i + 1, ChainHash.NONE));
        }

        assertThat(new LogVerifier(log).verify(Optional.empty()).faults())
                .hasSize(LogVerifier.MOST_FAULTS);
    }

    @Test
    void saysSoWhenTheLogCannotBeRead() {
        log.unreachable();

        assertThatExceptionOfType(AuditLogUnavailable.class)
                .isThrownBy(() -> new LogVerifier(log).verify(Optional.empty()));
    }

    private static InMemoryAuditLog filled(List<Integer> codes, List<String> reasons) {
        InMemoryAuditLog log = new InMemoryAuditLog(InstantSource.fixed(Bodies.AT));
        for (int i = 0; i < Math.min(codes.size(), reasons.size()); i++) {
            ReceivedEvent event =
                    Bodies.takedown("e-" + i, CODES.get(codes.get(i)), reasons.get(i));
            log.append(event);
            log.append(event);
        }
        return log;
    }
}
