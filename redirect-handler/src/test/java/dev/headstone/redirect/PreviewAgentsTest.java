package dev.headstone.redirect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PreviewAgentsTest {
    private static final PreviewAgents AGENTS = new PreviewAgents();

    @ParameterizedTest
    @MethodSource("cases")
    void knowsTheAgentsOfTheCases(String userAgent) {
        assertThat(AGENTS.contain(userAgent)).isTrue();
    }

    static Stream<String> cases() throws IOException {
        ObjectMapper json = new ObjectMapper();
        return lines("/cases/preview-agents.jsonl").stream()
                .map(
                        line -> {
                            try {
                                return json.readTree(line).get("user_agent").textValue();
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
                "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
                "Mozilla/5.0 (compatible; Baiduspider/2.0)",
                "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
                "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
                "Mozilla/5.0 (Windows NT 6.1; WOW64) (KHTML, like Gecko) BingPreview/1.0b",
                "facebookexternalhit/1.1 Facebot Twitterbot/1.0",
                "meta-externalagent/1.1",
                "Viber",
                "Mastodon/4.3.0 (http.rb/5.2.0; +https://social.example/) Bot",
                "Synapse (bot; +https://github.com/matrix-org/synapse)",
                "Slack-ImgProxy (+https://api.slack.com/robots)",
                "Iframely/1.3.1 (+https://iframely.com/docs/about)",
                "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0)",
                "ia_archiver",
                "SOMENEWBOT 1.0",
                "some-new-crawler"
            })
    void knowsOthersOfTheirKind(String userAgent) {
        assertThat(AGENTS.contain(userAgent)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("browsers")
    void takesNoBrowserAndNoPlainClientForOne(String userAgent) {
        assertThat(AGENTS.contain(userAgent)).isFalse();
    }

    static List<String> browsers() throws IOException {
        return lines("browsers.txt");
    }

    @Test
    void takesNobodyForOneWhoSaysNothing() {
        assertThat(AGENTS.contain("")).isFalse();
    }

    @Test
    void remembersWhatItFound() {
        for (int round = 0; round < 3; round++) {
            assertThat(AGENTS.contain("Googlebot/2.1")).isTrue();
            assertThat(AGENTS.contain("Mozilla/5.0")).isFalse();
        }
    }

    @Test
    void standsHeadersOfAnyLengthAndNumber() {
        PreviewAgents agents = new PreviewAgents();
        assertThat(agents.contain("x".repeat(8_000) + "Googlebot")).isFalse();
        assertThat(agents.contain("Googlebot " + "x".repeat(8_000))).isTrue();
        for (int i = 0; i < 10_000; i++) {
            assertThat(agents.contain("agent " + i)).isFalse();
        }
    }

    private static List<String> lines(String resource) throws IOException {
        try (InputStream lines =
                Objects.requireNonNull(PreviewAgentsTest.class.getResourceAsStream(resource))) {
            return new String(lines.readAllBytes(), UTF_8).lines().toList();
        }
    }
}
