package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class EdgeStackTest {
    private final Templates templates = Templates.usual();
    private final JsonNode edge =
            templates.only("AWS::CloudFront::Distribution").path("DistributionConfig");
    private final JsonNode behavior = edge.path("DefaultCacheBehavior");

    private JsonNode cachePolicy() {
        return templates.only("AWS::CloudFront::CachePolicy").path("CachePolicyConfig");
    }

    private JsonNode forwarding() {
        return templates
                .only("AWS::CloudFront::OriginRequestPolicy")
                .path("OriginRequestPolicyConfig");
    }

    @Test
    void aCopyLivesForFiveSecondsAtTheMostAndOnlyIfItSaysSo() {
        assertThat(cachePolicy().path("MaxTTL").asInt()).isEqualTo(5);
        assertThat(cachePolicy().path("MinTTL").asInt(-1)).isZero();
        assertThat(cachePolicy().path("DefaultTTL").asInt(-1)).isZero();
        assertThat(behavior.path("CachePolicyId").toString()).contains("Keeping");
        assertThat(edge.has("CacheBehaviors")).as("no other behavior").isFalse();
    }

    @Test
    void noErrorIsKeptForEvenASecond() {
        Map<Integer, Integer> kept = new TreeMap<>();
        for (JsonNode error : edge.path("CustomErrorResponses")) {
            kept.put(error.path("ErrorCode").asInt(), error.path("ErrorCachingMinTTL").asInt(-1));
            assertThat(error.has("ResponsePagePath")).isFalse();
            assertThat(error.has("ResponseCode")).isFalse();
        }

        assertThat(kept.keySet()).contains(404, 500, 501, 502, 503, 504);
        assertThat(kept.values()).containsOnly(0);
    }

    @Test
    void nothingAnswersInPlaceOfAnOriginThatFails() {
        assertThat(edge.has("OriginGroups")).isFalse();
        assertThat(edge.path("Origins")).hasSize(1);
        assertThat(templates.only("AWS::CloudFront::ResponseHeadersPolicy").toString())
                .doesNotContain("Cache-Control", "stale");
    }

    @Test
    void queryStringsAndCookiesAreNeitherForwardedNorPartOfTheKey() {
        JsonNode key = cachePolicy().path("ParametersInCacheKeyAndForwardedToOrigin");
        assertThat(key.at("/QueryStringsConfig/QueryStringBehavior").asText()).isEqualTo("none");
        assertThat(key.at("/CookiesConfig/CookieBehavior").asText()).isEqualTo("none");
        assertThat(key.at("/HeadersConfig/HeaderBehavior").asText()).isEqualTo("none");
        assertThat(forwarding().at("/QueryStringsConfig/QueryStringBehavior").asText())
                .isEqualTo("none");
        assertThat(forwarding().at("/CookiesConfig/CookieBehavior").asText()).isEqualTo("none");
    }

    @Test
    void whatTellsAPersonFromAProgramReachesTheOrigin() {
        assertThat(forwarding().at("/HeadersConfig/HeaderBehavior").asText())
                .isEqualTo("whitelist");
        assertThat(forwarding().at("/HeadersConfig/Headers").toString())
                .isEqualTo("[\"User-Agent\",\"Sec-Purpose\",\"Purpose\",\"X-Moz\"]");
    }

    @Test
    void aHeadIsAnsweredAsAGetAndNothingElseIsLetThrough() {
        assertThat(behavior.path("AllowedMethods").toString()).isEqualTo("[\"GET\",\"HEAD\"]");
        assertThat(behavior.path("CachedMethods").toString()).isEqualTo("[\"GET\",\"HEAD\"]");
    }

    @Test
    void onlyEncryptedConnectionsAreAnswered() {
        assertThat(behavior.path("ViewerProtocolPolicy").asText()).isEqualTo("https-only");
        assertThat(edge.at("/Origins/0/CustomOriginConfig/OriginProtocolPolicy").asText())
                .isEqualTo("https-only");
    }

    @Test
    void browsersAreToldToComeEncryptedAndToGuessNothing() {
        JsonNode headers =
                templates
                        .only("AWS::CloudFront::ResponseHeadersPolicy")
                        .at("/ResponseHeadersPolicyConfig/SecurityHeadersConfig");

        assertThat(behavior.path("ResponseHeadersPolicyId").toString()).contains("Headers");
        assertThat(headers.at("/StrictTransportSecurity/AccessControlMaxAgeSec").asInt())
                .isGreaterThanOrEqualTo(31_536_000);
        assertThat(headers.at("/ContentTypeOptions/Override").asBoolean()).isTrue();
        assertThat(headers.at("/FrameOptions/FrameOption").asText()).isEqualTo("DENY");
    }

    @Test
    void onlyThisDistributionMayAskTheRedirect() {
        assertThat(edge.at("/Origins/0/OriginAccessControlId").toString()).contains("Edge");
        assertThat(templates.resources("AWS::Lambda::Permission").values())
                .filteredOn(
                        permission ->
                                permission
                                        .at("/Properties/FunctionName")
                                        .toString()
                                        .contains("Redirect"))
                .hasSize(2)
                .allSatisfy(
                        permission -> {
                            assertThat(permission.at("/Properties/Principal").asText())
                                    .isEqualTo("cloudfront.amazonaws.com");
                            assertThat(permission.at("/Properties/SourceArn").toString())
                                    .contains("Edge");
                        });
    }

    @Test
    void aFirewallCountsTheRequestsOfEachAddress() {
        JsonNode acl = templates.only("AWS::WAFv2::WebACL");

        assertThat(acl.path("Scope").asText()).isEqualTo("CLOUDFRONT");
        JsonNode rate = acl.at("/Rules/0");
        assertThat(rate.at("/Statement/RateBasedStatement/AggregateKeyType").asText())
                .isEqualTo("IP");
        assertThat(rate.at("/Statement/RateBasedStatement/Limit").asInt()).isEqualTo(2_000);
        assertThat(rate.path("Action").has("Block")).isTrue();
        assertThat(edge.path("WebACLId").toString()).contains("Firewall");
    }

    @Test
    void withADomainItsNameAndCertificateAreUsed() {
        String certificate =
                "arn:aws:acm:us-east-1:123456789012:certificate/01234567-0123-0123-0123-0123456789ab";
        Templates templates =
                Templates.of(
                        Templates.usual(
                                Optional.of(new Settings.Domain("go.example.org", certificate))));
        JsonNode named = templates.only("AWS::CloudFront::Distribution").path("DistributionConfig");

        assertThat(named.path("Aliases").toString()).isEqualTo("[\"go.example.org\"]");
        assertThat(named.at("/ViewerCertificate/AcmCertificateArn").asText())
                .isEqualTo(certificate);
        assertThat(named.at("/ViewerCertificate/MinimumProtocolVersion").asText())
                .isEqualTo("TLSv1.2_2021");
        assertThat(templates.functionsOfTheCache().values())
                .extracting(
                        function ->
                                function.at("/Properties/Environment/Variables/HEADSTONE_BASE_URL")
                                        .asText())
                .filteredOn(url -> !url.isEmpty())
                .hasSize(4) // the writers', and the redirect's, which draws its QR codes
                .containsOnly("https://go.example.org");
    }
}
