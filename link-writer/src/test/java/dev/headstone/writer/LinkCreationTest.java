package dev.headstone.writer;

import static dev.headstone.writer.Workshop.ALICE;
import static dev.headstone.writer.Workshop.BOB;
import static dev.headstone.writer.Workshop.CODE;
import static dev.headstone.writer.Workshop.NOW;
import static dev.headstone.writer.Workshop.OLGA;
import static dev.headstone.writer.Workshop.RITA;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.cache.CacheRecord;
import dev.headstone.freshness.Freshness;
import dev.headstone.link.Cause;
import dev.headstone.link.LastChange;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.table.Links;
import dev.headstone.writer.CreateResult.AliasTaken;
import dev.headstone.writer.CreateResult.Created;
import dev.headstone.writer.CreateResult.Forbidden;
import dev.headstone.writer.CreateResult.InDoubt;
import dev.headstone.writer.CreateResult.KeyReused;
import dev.headstone.writer.CreateResult.NotCreated;
import dev.headstone.writer.CreateResult.Rejected;
import dev.headstone.writer.CreateResult.TooLarge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class LinkCreationTest {
    private static final String PLAIN = "{\"long_url\": \"https://example.com/a\"}";
    private static final String ALIASED =
            "{\"long_url\": \"https://example.com/a\", \"alias\": \"abc\"}";
    private static final Optional<IdempotencyKey> KEY = Optional.of(new IdempotencyKey("key-1"));

    private final Workshop workshop = new Workshop();

    @Test
    void aLinkHasACodeThatPeopleCanReadToEachOther() {
        Created created = created(create(PLAIN));

        assertThat(created.code().value()).matches("[A-Za-z0-9]{7}").doesNotMatch(".*[0O1lI].*");
        assertThat(stored(created))
                .returns(Optional.of("https://example.com/a"), Link::longUrl)
                .returns(Optional.of("example.com"), Link::host)
                .returns(1L, Link::version)
                .returns(NOW, Link::createdAt)
                .returns(false, Link::isDead)
                .returns(Optional.empty(), Link::purgeAt)
                .returns(Optional.empty(), Link::owner);
    }

    @Test
    void aLinkHasWhatWasAskedFor() {
        Created created =
                created(
                        create(
                                """
                                {"long_url": "https://example.com/a", "alias": "spring_1",
                                 "expires_at": "2030-01-01T00:00:00.5Z", "visit_limit": 9,
                                 "owner": "zoe", "tags": ["b", "a"]}
                                """));

        Instant end = Instant.parse("2030-01-01T00:00:00.500Z");
        assertThat(created.code()).isEqualTo(new ShortCode("spring_1"));
        assertThat(stored(created))
                .returns(Optional.of(end), Link::expiresAt)
                .returns(Freshness.purgeOfLive(Optional.of(end)), Link::purgeAt)
                .returns(OptionalLong.of(9), Link::visitLimit)
                .returns(Optional.of("zoe"), Link::owner)
                .returns(List.of("b", "a"), Link::tags);
        assertThat(stored(created).lastChange())
                .returns("alice", LastChange::by)
                .returns(NOW, LastChange::at);
    }

    @Test
    void whatAnOwnerCreatesIsTheOwners() {
        Created created =
                created(
                        workshop.creation.create(
                                bytes("{\"long_url\": \"https://a.example/\", \"owner\": \"zoe\"}"),
                                Optional.empty(),
                                OLGA));

        assertThat(stored(created).owner()).contains("olga");
    }

    @Test
    void aReaderMayNotCreate() {
        assertThat(workshop.creation.create(bytes(PLAIN), KEY, RITA)).isEqualTo(new Forbidden());
        assertThat(workshop.table.calls()).isEmpty();
    }

    @Test
    void whatIsNotAcceptableTouchesNothing() {
        assertThat(create("{\"long_url\": \"https://localhost/\"}"))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.field()).contains("long_url"));
        assertThat(create("[]"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.field()).isEmpty());
        assertThat(create(" ".repeat(RequestBodies.MAX_BYTES + 1))).isEqualTo(new TooLarge());
        assertThat(workshop.table.calls()).isEmpty();
        assertThat(workshop.cache.calls()).isEmpty();
    }

    @Test
    void theLeaseIsTakenBeforeTheLinkIsThereAndTheRecordWrittenAfter() {
        Created created = created(create(PLAIN));

        assertThat(workshop.cache.calls())
                .containsExactly("force " + created.code(), "confirm " + created.code() + " write");
        assertThat(workshop.cache.record(created.code()).map(CacheRecord::stamp))
                .contains(stored(created).stamp());
        assertThat(workshop.count("headstone.primings", "result", "primed")).isEqualTo(1);
    }

    @Test
    void withoutACacheALinkIsCreatedAllTheSame() {
        workshop.cache.unreachable(true);

        Created created = created(create(PLAIN));

        assertThat(workshop.table.get(created.code())).isPresent();
        assertThat(workshop.count("headstone.primings", "result", "failed")).isEqualTo(1);
    }

    @Test
    void aTombstoneOfAnEarlierLinkDoesNotHideTheNewOne() {
        Link earlier = Workshop.dead(Links.plain(CODE), Cause.TAKEDOWN, "alice");
        workshop.cache.put(CODE, CacheRecord.of(earlier, NOW, NOW));

        created(create(ALIASED));

        assertThat(workshop.cache.record(CODE)).get().isInstanceOf(CacheRecord.Active.class);
    }

    @Test
    void noTombstoneLiesLongerThanItsCodeIsTaken() {
        for (Cause cause : List.of(Cause.TAKEDOWN, Cause.EXHAUSTED)) {
            Link earlier = Workshop.dead(Links.plain(CODE), cause, "alice");
            Instant purge = earlier.purgeAt().orElseThrow();
            for (Duration before :
                    List.of(Duration.ZERO, Duration.ofMinutes(5), Duration.ofDays(2))) {
                assertThat(CacheRecord.of(earlier, NOW, purge.minus(before)).staleUntil())
                        .isBeforeOrEqualTo(purge);
            }
        }
    }

    @Test
    void anAliasThatHasALinkIsTakenAndKeepsItsLease() {
        workshop.givenLive();

        assertThat(create(ALIASED)).isEqualTo(new AliasTaken(false));
        assertThat(workshop.cache.calls()).isEmpty();
        assertThat(workshop.stored().longUrl()).contains("https://example.com/abc");
    }

    @Test
    void anAliasWhoseLinkHasEndedIsQuarantined() {
        workshop.givenDead(Cause.TAKEDOWN, "alice");
        assertThat(create(ALIASED)).isEqualTo(new AliasTaken(true));

        workshop.table.put(Links.expiring(CODE, NOW));
        assertThat(create(ALIASED)).isEqualTo(new AliasTaken(true));
    }

    @Test
    void anAliasThatIsTakenAtTheLastMomentIsTaken() {
        workshop.interruptions.before(2, workshop::givenLive);

        assertThat(create(ALIASED)).isEqualTo(new AliasTaken(false));
        assertThat(workshop.cache.askLease(CODE))
                .as("the lease was given back")
                .isInstanceOf(dev.headstone.cache.LeaseAttempt.Taken.class);
    }

    @Test
    void anItemThatIsNoLinkTakesItsCodeToo() {
        workshop.table.putUnreadable(CODE, "attribute 'version' is missing");

        assertThat(create(ALIASED)).isEqualTo(new AliasTaken(false));
    }

    @Test
    void aGeneratedCodeThatIsTakenIsExchanged() {
        Workshop same = new Workshop(new Stuttering());
        Created first = created(create(same, PLAIN));

        Created second = created(create(same, PLAIN));

        assertThat(second.code()).isNotEqualTo(first.code());
    }

    @Test
    void ifNoGeneratedCodeIsFreeNothingIsCreated() {
        Workshop stuck = new Workshop(new Constant());
        created(create(stuck, PLAIN));

        assertThat(create(stuck, PLAIN)).isEqualTo(new NotCreated());
    }

    @Test
    void oneKeyGetsOneAnswerByteForByteForADay() {
        Created first = created(create(PLAIN, KEY));
        workshop.clock.advance(Duration.ofHours(23));

        Created second = created(create(PLAIN, KEY));

        assertThat(second).isEqualTo(first);
        assertThat(workshop.table.calls()).filteredOn(call -> call.startsWith("create")).hasSize(1);

        workshop.clock.advance(Duration.ofHours(1));
        assertThat(created(create(PLAIN, KEY)).code()).isNotEqualTo(first.code());
    }

    @Test
    void anAnswerIsRepeatedEvenWhenWhatItWasAskedForIsInThePast() {
        String body =
                "{\"long_url\": \"https://example.com/\", \"expires_at\": \"%s\"}"
                        .formatted(NOW.plusSeconds(60));
        Created first = created(create(body, KEY));
        workshop.clock.advance(Duration.ofMinutes(2));

        assertThat(create(body, KEY)).isEqualTo(first);
    }

    @Test
    void oneKeyForTwoBodiesIsAMistake() {
        create(PLAIN, KEY);

        assertThat(create(PLAIN + " ", KEY)).isEqualTo(new KeyReused());
        assertThat(create("not json", KEY)).isEqualTo(new KeyReused());
    }

    @Test
    void twoCallersMayUseTheSameKey() {
        Created first = created(create(PLAIN, KEY));

        Created second = created(workshop.creation.create(bytes(PLAIN), KEY, BOB));

        assertThat(second.code()).isNotEqualTo(first.code());
    }

    @Test
    void aKeyThatCannotBeLookedUpCreatesNothing() {
        workshop.table.failing(true);

        assertThat(create(PLAIN, KEY)).isEqualTo(new NotCreated());
        assertThat(workshop.table.calls()).containsExactly("recall");
    }

    @Test
    void aLostReplyIsNoLostLink() {
        for (Optional<IdempotencyKey> key : List.of(Optional.<IdempotencyKey>empty(), KEY)) {
            for (String body : List.of(PLAIN, ALIASED)) {
                Workshop fresh = new Workshop();
                fresh.table.loseNextReply();

                Created created = created(fresh.creation.create(bytes(body), key, ALICE));

                assertThat(fresh.table.get(created.code())).isPresent();
                assertThat(fresh.table.calls())
                        .filteredOn(call -> call.startsWith("create"))
                        .hasSize(1);
                assertThat(fresh.cache.record(created.code())).isPresent();
            }
        }
    }

    @Test
    void aReplyThatIsLostForGoodIsFoundByTheKey() {
        workshop.table.loseNextReply();
        workshop.interruptions.before(3, () -> workshop.table.failing(true));
        assertThat(create(PLAIN, KEY)).isEqualTo(new InDoubt());

        workshop.table.failing(false);
        Created created = created(create(PLAIN, KEY));

        assertThat(workshop.table.get(created.code())).isPresent();
        assertThat(workshop.table.calls())
                .filteredOn(call -> call.equals("create " + created.code()))
                .isNotEmpty();
    }

    @Test
    void aKeyThatIsUsedAtTheLastMomentGetsTheAnswerOfWhoUsedIt() {
        List<Created> other = new ArrayList<>();
        workshop.interruptions.before(2, () -> other.add(created(create(PLAIN, KEY))));

        Created mine = created(create(PLAIN, KEY));

        assertThat(mine).isEqualTo(other.getFirst());
    }

    @Test
    void aKeyThatIsUsedAtTheLastMomentForAnotherBodyIsAMistake() {
        workshop.interruptions.before(2, () -> create(ALIASED, KEY));

        assertThat(create(PLAIN, KEY)).isEqualTo(new KeyReused());
    }

    @RepeatedTest(10)
    void manyAtOnceWithOneKeyGetOneLink() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Created> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<CreateResult>> running = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                running.add(
                        threads.submit(
                                () -> {
                                    start.await();
                                    return create(PLAIN, KEY);
                                }));
            }
            start.countDown();
            for (Future<CreateResult> each : running) {
                answers.add(created(each.get(10, TimeUnit.SECONDS)));
            }
        }

        assertThat(answers).containsOnly(answers.getFirst());
    }

    @Test
    void withoutATableNothingIsCreated() {
        workshop.table.failing(true);

        assertThat(create(PLAIN)).isEqualTo(new InDoubt());
        assertThat(create(ALIASED)).isEqualTo(new NotCreated());
        assertThat(create(PLAIN, KEY)).isEqualTo(new NotCreated());
    }

    @Test
    void noAttemptBeginsAfterTheDeadline() {
        workshop.table.failing(true);
        workshop.interruptions.before(
                1, () -> workshop.clock.advance(LinkCreation.DEADLINE.plusMillis(1)));

        assertThat(create(PLAIN)).isEqualTo(new InDoubt());
        assertThat(workshop.table.calls()).filteredOn(call -> call.startsWith("create")).hasSize(1);
    }

    private CreateResult create(String body) {
        return create(workshop, body);
    }

    private CreateResult create(String body, Optional<IdempotencyKey> key) {
        return workshop.creation.create(bytes(body), key, ALICE);
    }

    private static CreateResult create(Workshop workshop, String body) {
        return workshop.creation.create(bytes(body), Optional.empty(), ALICE);
    }

    private Link stored(Created created) {
        return workshop.table.get(created.code()).orElseThrow();
    }

    private static Created created(CreateResult result) {
        assertThat(result).isInstanceOf(Created.class);
        return (Created) result;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** Gives the same code over and over, but different ids. */
    private static class Constant extends Random {
        private static final long serialVersionUID = 1L;

        @Override
        public int nextInt(int bound) {
            return bound == 57 ? codeCharacter() : super.nextInt(bound);
        }

        int codeCharacter() {
            return 0;
        }
    }

    /** Gives each code twice. */
    private static final class Stuttering extends Constant {
        private static final long serialVersionUID = 1L;
        private int given;

        @Override
        int codeCharacter() {
            return given++ / (2 * CodeGenerator.LENGTH) % 57;
        }
    }
}
