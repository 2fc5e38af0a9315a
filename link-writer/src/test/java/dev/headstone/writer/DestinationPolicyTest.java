package dev.headstone.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.headstone.writer.Destination.Accepted;
import dev.headstone.writer.Destination.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DestinationPolicyTest {
    private static final DestinationPolicy POLICY =
            new DestinationPolicy(
                    List.of(
                            "Short.Example",
                            "b\u00fccher-kurz.example.",
                            "93.184.216.34",
                            "[2606:2800:220:1::1]",
                            "127.0.0.1"));

    private static Stream<JsonNode> cases() throws IOException {
        try (InputStream lines =
                Objects.requireNonNull(
                        DestinationPolicyTest.class.getResourceAsStream("/destinations.jsonl"))) {
            return new ObjectMapper()
                    .readerFor(JsonNode.class).<JsonNode>readValues(lines).readAll().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void decidesTheKnownCasesAsWritten(JsonNode known) {
        Destination decided = POLICY.judge(known.get("long_url").textValue());
        JsonNode expected = known.get("accepted");

        if (expected.isBoolean()) {
            assertThat(decided)
                    .isInstanceOf(expected.booleanValue() ? Accepted.class : Refused.class);
        } else if (expected.textValue().startsWith("https://")) {
            assertThat(accepted(decided).url()).isEqualTo(expected.textValue());
        } else {
            assertThat(expected.textValue()).startsWith("encoded or refused");
            assertThat(decided).isInstanceOf(Refused.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com",
                "http://example.com/",
                "HTTPS://EXAMPLE.COM/Path",
                "hTTp://example.com.",
                "https://example.com:1/",
                "https://example.com:65535",
                "https://example.com:0080/",
                "https://example.com?q",
                "https://example.com#f",
                "https://example.com/?",
                "https://example.com/#",
                "https://example.com/?#",
                "https://example.com/??a=/?b#/?c",
                "https://example.com//double//slash/",
                "https://example.com/a/../b/./c",
                "https://example.com/%2e%2E/%7euser",
                "https://example.com/;p=1,2;v=(3)!$&'*+,;=:@-._~",
                "https://example.com/?next=https://other.example/@x",
                "https://example.com/%25%30%30",
                "https://example.com/C%3A%5CWindows",
                "https://example.com/%85", // an ellipsis in windows-1252
                "https://example.com/%E0%A0%85", // continuation bytes are no controls
                "https://example.com/%C0%AC", // GB 2312
                "https://my_files.example.com/",
                "https://-edge-.example.com/",
                "https://r3---sn-4g5.example.com/",
                "https://xn--bcher-kva.example/",
                "https://intranet/",
                "https://localhost.example/",
                "https://notlocalhost/",
                "https://short.example.org/",
                "https://go.short.example/",
                "https://1.example/",
                "https://0x.example/",
                "https://127.0.0.1.example/",
                "https://example.0xg/",
                "https://8.8.8.8/",
                "https://8.8.8.8.:443/",
                "https://0x08080808/",
                "https://010.8.8.8/",
                "https://134744072/",
                "https://[2606:4700:4700::1111]/",
                "https://[2606:4700:4700::1111]:8443/?x",
                "https://[2A00:1450:4001:80B::8.8.8.8]/"
            })
    void storesWhatIsAllowedByteForByte(String url) {
        assertThat(accepted(POLICY.judge(url)).url()).isEqualTo(url);
    }

    @ParameterizedTest
    @CsvSource({
        "https://b\u00fccher.example/, https://xn--bcher-kva.example/",
        "https://B\u00dcCHER.Example:8443/A, https://xn--bcher-kva.example:8443/A",
        "https://bu\u0308cher.example/, https://xn--bcher-kva.example/",
        "https://b\u00fccher.example./, https://xn--bcher-kva.example./",
        "https://fa\u00df.example/, https://xn--fa-hia.example/",
        "https://\u0130stanbul.example/, https://xn--istanbul-o0e.example/",
        "https://\u0131.example/, https://xn--cfa.example/",
        "https://example\u3002com/, https://example.com/",
        "https://example\uff0ecom\uff61/, https://example.com./",
        "https://\uff45xample.com/, https://example.com/",
        "https://exam\u00adple.com/, https://example.com/",
        "https://\uff18.8.8.8/, https://8.8.8.8/",
        "https://\u4f8b\u3048.\u30c6\u30b9\u30c8/, https://xn--r8jz45g.xn--zckzah/",
        "https://\u0645\u062b\u0627\u0644.\u0625\u062e\u062a\u0628\u0627\u0631/,"
                + " https://xn--mgbh0fb.xn--kgbechtv/",
        "https://e.example/\u00e9?\u00e9#\u00e9, https://e.example/%C3%A9?%C3%A9#%C3%A9",
        "https://e.example/e\u0301, https://e.example/e%CC%81",
        "https://e.example/\ud83e\udea6, https://e.example/%F0%9F%AA%A6",
        "https://e.example/%c3%a9\u00e9, https://e.example/%c3%a9%C3%A9",
        "https://e.example/\u00a0\u3000\u202e\ufeff,"
                + " https://e.example/%C2%A0%E3%80%80%E2%80%AE%EF%BB%BF",
    })
    void convertsAnIdnAndNonAsciiAndNothingElse(String url, String stored) {
        assertThat(accepted(POLICY.judge(url)).url()).isEqualTo(stored);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTPS://EXAMPLE.COM/Path, example.com",
        "https://TITLE.Example.COM.:443/, title.example.com",
        "https://B\u00fccher.example./, xn--bcher-kva.example",
        "https://XN--BCHER-KVA.example/, xn--bcher-kva.example",
        "https://0x08.010.8.8/, 8.8.8.8",
        "https://8.8.2056./, 8.8.8.8",
        "https://[2A00:1450:4001:080B:0:0:0:200E]/, 2a00:1450:4001:80b::200e",
        "https://[2A00:1450:4001:80B::8.8.8.8]/, 2a00:1450:4001:80b::808:808",
    })
    void namesTheHostInItsCanonicalForm(String url, String host) {
        assertThat(accepted(POLICY.judge(url)).host()).isEqualTo(host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "example.com",
                "www.example.com/path",
                "/path",
                "//example.com",
                "https",
                "https:",
                "https:/",
                "https://",
                "https:///",
                "https:///example.com/",
                "https:////example.com/",
                "https:/example.com/",
                "https:example.com",
                "http:?x",
                "https://?q",
                "https://#f",
                "https://:443/",
                "https://./",
                "https://../",
                "ftp://example.com/",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "JaVaScRiPt://example.com/%0aalert(1)",
                "data:text/html,<script>",
                "vbscript:x",
                "blob:https://example.com/x",
                "view-source:https://example.com/",
                "ws://example.com/",
                "mailto:a@example.com",
                "httpss://example.com/",
                "xhttps://example.com/",
                "http\u017f://example.com/", // a long s, which some say equals s
                " https://example.com/",
                "https://example.com/ ",
                "\ufeffhttps://example.com/",
                "\u00a0https://example.com/",
                "https ://example.com/",
                "https:// example.com/",
                "url=https://example.com/",
                "<https://example.com/>"
            })
    void refusesWhatIsNoAbsoluteHttpUrl(String url) {
        assertRefused(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user@example.com/",
                "https://user:secret@example.com/",
                "https://@example.com/",
                "https://:@example.com/",
                "https://example.com@8.8.8.8/",
                "https://example.com:443@evil.example/",
                "https://example.com%40evil.example/",
                "https://a@b@c.example/",
                "https://example.com\uff20evil.example/",
                "https://example.com\ufe6bevil.example/"
            })
    void refusesUserInfo(String url) {
        assertRefused(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https:\\\\example.com/",
                "https:/\\example.com/",
                "https://example.com\\@evil.example/",
                "https://example.com/a\\b",
                "https://example.com/?a\\b",
                "https://example.com/#a\\b",
                "https://example.com\uff3cevil.example/"
            })
    void refusesBackslashes(String url) {
        assertRefused(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\u0000",
                "\t",
                "\n",
                "\u000b",
                "\f",
                "\r",
                "\u001b",
                "\u001f",
                "\u007f",
                "\u0080",
                "\u0085",
                "\u009f",
                "\u2028",
                "\u2029",
                "\ud83e",
                "\udea6",
                "\udea6\ud83e",
                "%00",
                "%09",
                "%0A",
                "%0a",
                "%0D%0A",
                "%1b",
                "%7F",
                "%7f",
                "%C2%85",
                "%c2%80",
                "%E2%80%A8",
                "%e2%80%a9",
                "%C0%80",
                "%c0%8a",
                "%C1%BF",
                "%E0%80%8A",
                "%E0%81%BF",
                "%F0%80%80%8D",
                "%F0%80%81%BF"
            })
    void refusesControlCharactersAndLineSeparatorsWhereverTheyHide(String hidden) {
        String text = hidden.equals("\\u0000") ? "\0" : hidden;

        for (String form :
                List.of(
                        "https://example.com/%s",
                        "https://example.com/a%sb",
                        "https://example.com/?%s",
                        "https://example.com?a%sb",
                        "https://example.com/#%s",
                        "https://example.com#a%sb",
                        "https://exam%sple.com/",
                        "https://example.com%s/",
                        "https://example.com:4%s3/",
                        "%shttps://example.com/",
                        "ht%stps://example.com/",
                        "https:/%s/example.com/")) {
            assertRefused(form.formatted(text));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "|",
                "\"",
                "<",
                ">",
                "`",
                "{",
                "}",
                "^",
                "[",
                "]",
                " ",
                "%",
                "%2",
                "%g0",
                "%0g",
                "%%",
                "% 1",
                "%u0041",
                "%\uff11\uff11",
                "#"
            })
    void refusesWhatTheGrammarDoesNotAllow(String wrong) {
        assertRefused("https://example.com/#a" + wrong);
        if (!wrong.equals("#")) {
            assertRefused("https://example.com/" + wrong);
            assertRefused("https://example.com/a" + wrong + "z");
            assertRefused("https://example.com/?a" + wrong);
            assertRefused("https://example.com/#" + wrong + "z");
            assertRefused("https://exam" + wrong + "ple.com/");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":",
                ":0",
                ":00",
                ":65536",
                ":99999",
                ":100000",
                ":4294967739",
                ":18446744073709551617",
                ":0x50",
                ":-1",
                ":+80",
                ":80a",
                ":8_0",
                ":80:80",
                ":%38%30",
                ":8.0",
                ":http",
                ":\uff18\uff10",
                ":\u0668\u0660",
                "::80"
            })
    void refusesPortsThatAreNoDecimalNumberFrom1To65535(String port) {
        assertRefused("https://example.com" + port + "/");
        assertRefused("https://example.com" + port);
        assertRefused("https://example.com" + port + "?q");
        assertRefused("https://[2606:4700:4700::1111]" + port + "/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".example",
                "example..com",
                "example.com..",
                "exa_mple..com",
                "exa$mple.com",
                "exa!mple.com",
                "a,b.example",
                "a;b.example",
                "a=b.example",
                "(x).example",
                "~x.example",
                "*.example.com",
                "example.com'",
                "%65xample.com",
                "example%2ecom",
                "example.com%2f",
                "example.com%00",
                "\u00ad",
                "\u3002",
                "example\u3002\u3002com",
                "b\u00fccher..example",
                "b\u00fccher_.example",
                "-b\u00fccher.example",
                "b\u00fccher-.example",
                "bb--\u00fccher.example",
                "xn--",
                "xn--.example",
                "xn--a.example",
                "xn--0.example",
                "xn--zzzzzzzz9999.example",
                "xn--localhost-",
                "xn--bcher-kva\u00fc.example",
                "XN--A.example",
                "\u2100.example", // a/c
                "\uff05\uff14\uff11.example", // %41
                "example\uff0fpath",
                "example\uff1a80",
                "example\uff1fq",
                "example\uff03f",
                "\u05d0a.example", // bidi: Hebrew that ends in Latin
                "a\u200cb.example", // a joiner where it joins nothing
                "a\u00b7b.example", // the middle dot of Catalan, not between two l
                "\u0378.example", // not assigned
                "\ue000.example", // private use
                "\ufffd.example",
                "[example.com]",
                "[]",
                "[::",
                "::1]",
                "2606:4700:4700::1111",
                "[2606:4700:4700::1111]x",
                "[2606:4700:4700::1111].",
                "[2606:4700:4700::1111]]",
                "[[2606:4700:4700::1111]]",
                "x[2606:4700:4700::1111]",
                "[2606:4700:4700::1111%25eth0]",
                "[2606:4700:4700::1111%eth0]",
                "[2606:4700:4700::1111/64]",
                "[2606:4700::4700::1111]",
                "[2606:4700:4700:0:0:0:0:0:1111]",
                "[2606:4700:4700:0:0:0:1111]",
                "[2606:4700:4700::11111]",
                "[2606:4700:4700::8.8.8]",
                "[2606:4700:4700::8.8.8.08]",
                "[2606:4700:4700::\uff11]",
                "[8.8.8.8]",
                "[v1.x]",
                "1.2.3.256",
                "1.2.3.4.5",
                "8.8.8.08",
                "8.8.8.0xg.9",
                "8.8.65536",
                "8.16777216",
                "4294967296",
                "99999999999999999999999999",
                "0x100000000",
                "0xffffffffffffffffffffff",
                "256.8.8.8",
                "8.256.8",
                "example.1",
                "example.0x",
                "example.0x7f",
                "example.com.09"
            })
    void refusesWhatIsNoHost(String host) {
        assertRefused("https://" + host + "/");
        assertRefused("https://" + host + ":443/");
    }

    @Test
    void refusesLabelsAndNamesThatAreTooLong() {
        String longest = "a".repeat(63);
        String name = String.join(".", longest, longest, longest, "a".repeat(61));

        assertThat(POLICY.judge("https://" + longest + ".example/")).isInstanceOf(Accepted.class);
        assertThat(POLICY.judge("https://" + name + "./")).isInstanceOf(Accepted.class);
        assertRefused("https://" + longest + "a.example/");
        assertRefused("https://a" + name + "/");
        assertRefused("https://" + "\u00fc".repeat(60) + ".example/");
        assertRefused("https://" + "\u00ad".repeat(100_000) + "example.com/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST",
                "LocalHost.",
                "a.localhost",
                "a.b.LOCALHOST.",
                "\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54",
                "\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3",
                "local\u00adhost",
                "locaLho\u017ft", // a long s is mapped to s
                "b\u00fccher.localhost",
                "a\u3002localhost\u3002"
            })
    void refusesLocalhost(String host) {
        assertRefused("http://" + host + "/");
        assertRefused("http://" + host + ":8080/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "short.example",
                "SHORT.EXAMPLE",
                "Short.Example.",
                "short.example:8443",
                "\uff53hort\u3002example",
                "b\u00fccher-kurz.example",
                "B\u00dcCHER-KURZ.EXAMPLE.:80",
                "xn--bcher-kurz-9db.example",
                "XN--BCHER-KURZ-9DB.example",
                "93.184.216.34",
                "93.184.216.34.:80",
                "0x5db8d822",
                "93.184.55330",
                "[2606:2800:220:1::1]",
                "[2606:2800:0220:0001:0:0:0:1]:80"
            })
    void refusesHostsOfOurs(String host) {
        assertThat(POLICY.judge("https://" + host + "/abc"))
                .isEqualTo(new Refused("A destination may not lead back to this service."));
    }

    @Test
    void refusesToBeToldOfAHostOfOursThatIsNone() {
        assertThatThrownBy(() -> new DestinationPolicy(List.of("short.example:80")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("short.example:80");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // loopback, in every spelling
                "127.0.0.1",
                "127.0.0.1.",
                "127.1",
                "127.0.1",
                "127.255.255.255",
                "2130706433",
                "0x7f000001",
                "0X7F000001",
                "017700000001",
                "0x7f.1",
                "0x7f.0x0.0x0.0x1",
                "0177.0.0.1",
                "0177.1",
                "00000000177.0.0.1",
                "0x000000000000000000007f.1",
                "127.0x1",
                "127.00000000000000000001",
                "\uff11\uff12\uff17.\uff10.\uff10.\uff11",
                "127\u30020\u30020\u30021",
                "127\uff0e1",
                "127\uff611",
                "\u2460\u2461\u2466.\u24ea.\u24ea.\u2460",
                "\u00b2130706433",
                "\uff10\uff58\uff17\uff46.1",
                "\ud835\udfcf\ud835\udfd0\ud835\udfd5.1",
                "12\u00ad7.0.0.1",
                "%31%32%37.1",
                "127%2e0.0.1",
                // unspecified and this network
                "0",
                "0.0.0.0",
                "00",
                "0x",
                "0x0",
                "0x.0x.0x.0x",
                "0.0.0.1",
                "0.255.255.255",
                // private
                "10.0.0.1",
                "10.1",
                "012.1",
                "167772161",
                "0xa000001",
                "172.16.0.1",
                "172.31.255.255",
                "172.1048576",
                "192.168.0.1",
                "192.168.1",
                "3232235777",
                "0300.0250.0.1",
                // link-local and metadata
                "169.254.169.254",
                "169.254.43518",
                "2852039166",
                "0xA9FEA9FE",
                "0251.0376.0251.0376",
                "100.100.100.200",
                "192.0.0.192",
                "168.63.129.16",
                "0xa83f8110",
                // shared, benchmarking, documentation, protocols, multicast, reserved, broadcast
                "100.64.0.0",
                "100.127.255.255",
                "198.18.0.1",
                "198.19.255.255",
                "192.0.2.1",
                "198.51.100.1",
                "203.0.113.255",
                "192.0.0.8",
                "192.88.99.1",
                "224.0.0.1",
                "239.255.255.250",
                "240.0.0.1",
                "255.255.255.255",
                "4294967295",
                "0xffffffff",
                "037777777777"
            })
    void refusesIpv4AddressesThatAreNotGloballyRoutableInAnySpelling(String host) {
        assertRefused("http://" + host + "/");
        assertRefused("http://" + host + ":8080/latest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::",
                "::1",
                "0:0:0:0:0:0:0:1",
                "0000:0000:0000:0000:0000:0000:0000:0001",
                "::ffff:127.0.0.1",
                "::ffff:7f00:1",
                "::FFFF:7F00:0001",
                "0:0:0:0:0:ffff:a9fe:a9fe",
                "::ffff:8.8.8.8",
                "::ffff:808:808", // mapped, even when what is inside is public
                "::ffff:0:127.0.0.1",
                "::127.0.0.1",
                "::7f00:1",
                "::8.8.8.8",
                "64:ff9b::127.0.0.1",
                "64:ff9b::808:808",
                "64:ff9b:1::1",
                "2002:7f00:1::",
                "2002:a9fe:a9fe::1",
                "2002:808:808::1",
                "2001:0:53aa:64c::1",
                "fc00::1",
                "fd00::1",
                "fd00:ec2::254",
                "fd20:ce::254",
                "fe80::1",
                "febf::1",
                "fec0::1",
                "ff02::1",
                "ff0e::1",
                "100::1",
                "100:0:0:1::1",
                "2001:2::1",
                "2001:10::1",
                "2001:20::1",
                "2001:1ff::1",
                "2001:db8::1",
                "2001:DB8:ffff::1",
                "3fff::1",
                "3fff:fff::1",
                "5f00::1",
                "4000::1",
                "1fff::1",
                "8000::1"
            })
    void refusesIpv6AddressesThatAreNotGloballyRoutable(String address) {
        assertRefused("http://[" + address + "]/");
        assertRefused("http://[" + address + "]:8080/latest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0.0.0",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.255",
                "192.0.3.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "198.51.99.255",
                "198.51.101.0",
                "203.0.112.255",
                "203.0.114.0",
                "223.255.255.255",
                "168.63.129.15",
                "168.63.129.17",
                "[2001:200::]",
                "[2001:db7::1]",
                "[2001:db9::]",
                "[2003::]",
                "[2000::]",
                "[3ffe::1]",
                "[3fff:1000::]"
            })
    void acceptsTheNeighboursOfThoseRanges(String host) {
        assertThat(POLICY.judge("http://" + host + "/")).isInstanceOf(Accepted.class);
    }

    @Test
    void countsTheBytesAfterEncoding() {
        String start = "https://example.com/";
        String filled = start + "a".repeat(2_048 - start.length());
        String encoded = start + "\u20ac".repeat((2_048 - start.length()) / 9);

        assertThat(POLICY.judge(filled)).isEqualTo(new Accepted(filled, "example.com"));
        assertRefused(filled + "a");
        assertThat(accepted(POLICY.judge(encoded)).url()).hasSizeLessThanOrEqualTo(2_048);
        assertRefused(encoded + "\u20ac");
        assertRefused(start + "\u20ac".repeat(1_000_000));
    }

    @Test
    void namesTheRuleAndRepeatsNothingOfTheUrl() {
        assertThat(POLICY.judge("https://example.com/secret|x"))
                .isEqualTo(
                        new Refused(
                                "The path has a character that must be percent-encoded, or a '%'"
                                        + " without two hexadecimal digits."));
    }

    static Accepted accepted(Destination decided) {
        assertThat(decided).isInstanceOf(Accepted.class);
        return (Accepted) decided;
    }

    private static void assertRefused(String url) {
        assertThat(POLICY.judge(url)).as(url).isInstanceOf(Refused.class);
    }
}
