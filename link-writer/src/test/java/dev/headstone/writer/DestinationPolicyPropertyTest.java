package dev.headstone.writer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import dev.headstone.writer.Destination.Accepted;
import dev.headstone.writer.Destination.Refused;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** What holds of every destination, likely or not. */
final class DestinationPolicyPropertyTest {
    private static final DestinationPolicy POLICY =
            new DestinationPolicy(List.of("short.example", "b\u00fccher.example"));

    /** What URLs, and attacks on their readers, are made of. */
    private static final List<String> PIECES =
            List.of(
                    "http",
                    "https",
                    "HTTPS",
                    "ftp",
                    ":",
                    "//",
                    "/",
                    "\\",
                    "@",
                    "?",
                    "#",
                    "[",
                    "]",
                    ".",
                    "..",
                    "%",
                    "%2",
                    "%0A",
                    "%E2%80%A8",
                    "%41",
                    "%C3",
                    "\r\n",
                    "\t",
                    "\0",
                    " ",
                    "\u0085",
                    "\u2028",
                    "\u3002",
                    "\u00ad",
                    "\ufeff",
                    "\u200d",
                    "\u0301",
                    "\u05d0",
                    "\ud83e",
                    "\udea6",
                    "\ud83e\udea6",
                    "\u00fc",
                    "\u00df",
                    "\u0130",
                    "\u0131",
                    "\u017f",
                    "\uff11",
                    "\uff20",
                    "example",
                    "example.com",
                    "short.example",
                    "SHORT.EXAMPLE.",
                    "b\u00fccher.example",
                    "xn--bcher-kva.example",
                    "xn--",
                    "localhost",
                    "127.0.0.1",
                    "0x7f.1",
                    "2130706433",
                    "8.8.8.8",
                    "0",
                    "0x",
                    "1",
                    "08",
                    "255",
                    "256",
                    "[::1]",
                    "[::ffff:7f00:1]",
                    "[2606:4700:4700::1111]",
                    "80",
                    ":80",
                    ":0",
                    ":65536",
                    ":0x50",
                    "a",
                    "Z",
                    "-",
                    "_",
                    "~",
                    "|",
                    "\"",
                    "<",
                    "{",
                    "^",
                    "`",
                    "&",
                    "=",
                    "+",
                    ";",
                    ",",
                    "'",
                    "(",
                    "*",
                    "$",
                    "!");

    @Property(tries = 3_000)
    void whatIsAcceptedIsSafeToSend(@ForAll("plausible") String url) {
        holdsFor(url);
    }

    @Property(tries = 3_000)
    void aPlausibleUrlWithOneStrangeCharacterIsSafeToSend(
            @ForAll("plausible") String url, @ForAll int position, @ForAll char strange) {
        int at = Math.floorMod(position, url.length() + 1);

        holdsFor(url.substring(0, at) + strange + url.substring(at));
    }

    @Property(tries = 1_000)
    void junkIsAnsweredNeverThrown(@ForAll String junk) {
        holdsFor(junk);
        holdsFor("https://" + junk);
        holdsFor("https://example.com/" + junk);
        holdsFor("https://" + junk + ".example/");
    }

    @Property(tries = 500)
    void eachIpv4AddressIsDecidedAlikeInEverySpelling(@ForAll int address) {
        long number = Integer.toUnsignedLong(address);
        long first = number >>> 24;
        long second = (number >>> 16) & 0xFF;
        String dotted =
                "%d.%d.%d.%d".formatted(first, second, (number >>> 8) & 0xFF, number & 0xFF);
        Destination expected = POLICY.judge("http://" + dotted);

        for (String spelling :
                List.of(
                        "%d".formatted(number),
                        "0x%x".formatted(number),
                        "0X%X".formatted(number),
                        "0%o".formatted(number),
                        "%d.%d".formatted(first, number & 0xFF_FFFF),
                        "0x%x.0%o.%d".formatted(first, second, number & 0xFFFF),
                        dotted + ".",
                        dotted.replace('.', '\u3002'),
                        fullWidth(dotted))) {
            Destination decided = POLICY.judge("http://" + spelling);
            switch (expected) {
                case Accepted(_, String host) ->
                        assertThat(DestinationPolicyTest.accepted(decided).host())
                                .isEqualTo(host)
                                .isEqualTo(dotted);
                case Refused refused -> assertThat(decided).isEqualTo(refused);
            }
        }
    }

    private static String fullWidth(String text) {
        return text.chars()
                .map(character -> character - '!' + '\uff01')
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    /** Longer runs: {@code -Dheadstone.fuzz.rounds=1000000}, and a seed to repeat one. */
    @Example
    void noHeapOfPiecesGetsThrough() {
        long seed = Long.getLong("headstone.fuzz.seed", new Random().nextLong());
        int rounds = Integer.getInteger("headstone.fuzz.rounds", 50_000);
        System.out.println("-Dheadstone.fuzz.seed=" + seed);
        RandomGenerator random = new Random(seed);

        for (int round = 0; round < rounds; round++) {
            String start = random.nextInt(4) == 0 ? "" : "https://";
            holdsFor(
                    IntStream.range(0, random.nextInt(1, 9))
                            .mapToObj(_ -> PIECES.get(random.nextInt(PIECES.size())))
                            .collect(Collectors.joining("", start, "")));
        }
    }

    private static void holdsFor(String url) {
        switch (POLICY.judge(url)) {
            case Refused(String why) -> assertThat(why).isNotBlank().hasSizeLessThan(200);
            case Accepted accepted -> isSafeToSend(url, accepted);
        }
    }

    private static void isSafeToSend(String asked, Accepted accepted) {
        String url = accepted.url();
        assertThat(url)
                .as("printable ASCII of at most 2048 bytes, for %s", asked)
                .matches("(?i:https?)://[!-~&&[^\\\\@\"<>^`{|}]][!-~&&[^\\\\\"<>^`{|}]]{0,2040}");
        assertThat(POLICY.judge(url)).as("accepted once is accepted again").isEqualTo(accepted);
        assertThat(accepted.host())
                .matches("[0-9a-z_.-]+|[0-9a-f:]+")
                .doesNotEndWith(".")
                .isNotEqualTo("short.example")
                .isNotEqualTo("xn--bcher-kva.example")
                .doesNotMatch("(.*\\.)?localhost");
        if (InetAddresses.isInetAddress(accepted.host())) {
            assertThat(InetAddresses.forString(accepted.host()))
                    .satisfies(address -> assertThat(address.isLoopbackAddress()).isFalse())
                    .satisfies(address -> assertThat(address.isAnyLocalAddress()).isFalse())
                    .satisfies(address -> assertThat(address.isLinkLocalAddress()).isFalse())
                    .satisfies(address -> assertThat(address.isSiteLocalAddress()).isFalse())
                    .satisfies(address -> assertThat(address.isMulticastAddress()).isFalse());
        }

        URI parsed = URI.create(url);
        assertThat(parsed.isAbsolute()).isTrue();
        assertThat(parsed.getRawUserInfo()).isNull();
        assertThat(parsed.getRawAuthority()).doesNotContain("@", "%").isNotEmpty();
        if (asked.chars().allMatch(character -> character < 0x80)) {
            assertThat(url).as("ASCII is stored byte for byte").isEqualTo(asked);
        }
    }

    @Provide
    Arbitrary<String> plausible() {
        Arbitrary<String> scheme = Arbitraries.of("http://", "https://", "HtTpS://", "https:/", "");
        Arbitrary<String> host =
                Arbitraries.frequencyOf(
                        Tuple.of(4, Arbitraries.of(PIECES)),
                        Tuple.of(
                                2,
                                Arbitraries.of(PIECES)
                                        .list()
                                        .ofMaxSize(4)
                                        .map(parts -> String.join(".", parts))),
                        Tuple.of(
                                1,
                                Arbitraries.strings()
                                        .alpha()
                                        .numeric()
                                        .withChars("-._")
                                        .ofMaxLength(20)));
        Arbitrary<String> port = Arbitraries.of("", "", ":443", ":0", ":", ":99999", ":0x50");
        Arbitrary<String> tail =
                Arbitraries.of(PIECES)
                        .list()
                        .ofMaxSize(6)
                        .map(parts -> String.join("", parts))
                        .map(text -> text.isEmpty() ? "" : "/" + text);
        return Combinators.combine(scheme, host, port, tail)
                .as((first, second, third, fourth) -> first + second + third + fourth);
    }
}
