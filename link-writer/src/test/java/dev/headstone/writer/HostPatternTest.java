package dev.headstone.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPatternTest {
    private static final DestinationPolicy DESTINATIONS =
            new DestinationPolicy(List.of("go.short.example"));

    @ParameterizedTest
    @CsvSource({
        "evil.example, evil.example, false",
        "EVIL.Example., evil.example, false",
        "' evil.example ', evil.example, false",
        "evil.example:8080, evil.example, false",
        "evil.example/path, evil.example, false",
        "https://evil.example, evil.example, false",
        "HTTP://Evil.Example.:80/a?b=https://c.example/#d, evil.example, false",
        "https://evil.example?a|b, evil.example, false",
        "b\u00fccher.example, xn--bcher-kva.example, false",
        "XN--BCHER-KVA.example, xn--bcher-kva.example, false",
        "*.evil.example, evil.example, true",
        "*.B\u00dcCHER.example., xn--bcher-kva.example, true",
        "https://*.evil.example/, evil.example, true",
        "*.example.co.uk, example.co.uk, true",
        "someone.github.io, someone.github.io, false",
        "intranet, intranet, false",
        "my_files.example, my_files.example, false",
        "8.8.8.8, 8.8.8.8, false",
        "http://0x08080808/, 8.8.8.8, false",
        "2606:4700:4700:0::1111, 2606:4700:4700::1111, false",
        "[2606:4700:4700::1111]:443, 2606:4700:4700::1111, false",
        "'https://[2606:4700:4700::1111]/x', 2606:4700:4700::1111, false",
    })
    void readsNamesAddressesAndPastedUrls(String text, String host, boolean withSubdomains) {
        assertThat(HostPattern.read(text, DESTINATIONS))
                .isEqualTo(new Reading.Valid<>(new HostPattern(host, withSubdomains)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "*",
                "*.",
                "**",
                "*.*.evil.example",
                "evil.*",
                "*evil.example",
                ".evil.example",
                "evil..example",
                "evil example",
                "evil.example,other.example",
                "evil.example\nother.example",
                "user@evil.example",
                "https://evil.example@other.example/",
                "https://evil.example\\@other.example/",
                "ftp://evil.example/",
                "javascript:alert(1)",
                "//evil.example/",
                "https://",
                "evil.example:x",
                "%65vil.example",
                "com",
                "COM.",
                "*.com",
                "co.uk",
                "*.co.uk",
                "github.io",
                "*.github.io",
                "xn--p1ai",
                "\u0440\u0444",
                "*.intranet",
                "*.\u0440\u0444",
                "localhost",
                "*.localhost",
                "go.short.example",
                "GO.Short.Example.",
                "https://go.short.example/abc",
                "*.go.short.example",
                "127.0.0.1",
                "0x7f.1",
                "10.1",
                "*.8.8.8.8",
                "::1",
                "[::1]",
                "::ffff:8.8.8.8",
                "169.254.169.254",
                "1.2.3.4.5",
                "[8.8.8.8]",
                "1:2"
            })
    void refusesWhatIsNoHostOrTooMany(String text) {
        assertThat(HostPattern.read(text, DESTINATIONS))
                .isInstanceOfSatisfying(
                        Reading.Rejected.class,
                        rejected -> assertThat(rejected.field()).isEqualTo("host"));
    }

    @Test
    void matchesTheHostAndWhatIsBelowItOnlyIfSaid() {
        HostPattern exact = new HostPattern("evil.example", false);
        HostPattern below = new HostPattern("evil.example", true);

        assertThat(List.of("evil.example", "a.evil.example", "a.b.evil.example"))
                .allMatch(below::matches)
                .filteredOn(exact::matches)
                .containsExactly("evil.example");
        assertThat(List.of("notevil.example", "evil.example.org", "example", "devil.example"))
                .noneMatch(below::matches)
                .noneMatch(exact::matches);
    }

    @Property(tries = 1_000)
    void answersAnyText(@ForAll String text) {
        assertThat(HostPattern.read(text, DESTINATIONS)).isNotNull();
        assertThat(HostPattern.read("*." + text + ".example", DESTINATIONS)).isNotNull();
    }

    @Property(tries = 500)
    void meansTheHostThatALinkToThatUrlHas(@ForAll int address) {
        String url = "https://%d/path".formatted(Integer.toUnsignedLong(address));

        switch (DESTINATIONS.judge(url)) {
            case Destination.Accepted(_, String host) ->
                    assertThat(HostPattern.read(url, DESTINATIONS))
                            .isEqualTo(new Reading.Valid<>(new HostPattern(host, false)));
            case Destination.Refused(String why) ->
                    assertThat(HostPattern.read(url, DESTINATIONS))
                            .isEqualTo(new Reading.Rejected<>("host", why));
        }
    }
}
