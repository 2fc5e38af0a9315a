package dev.headstone.infra;

import java.util.List;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.certificatemanager.Certificate;
import software.amazon.awscdk.services.cloudfront.AllowedMethods;
import software.amazon.awscdk.services.cloudfront.BehaviorOptions;
import software.amazon.awscdk.services.cloudfront.CacheCookieBehavior;
import software.amazon.awscdk.services.cloudfront.CacheHeaderBehavior;
import software.amazon.awscdk.services.cloudfront.CachePolicy;
import software.amazon.awscdk.services.cloudfront.CacheQueryStringBehavior;
import software.amazon.awscdk.services.cloudfront.CachedMethods;
import software.amazon.awscdk.services.cloudfront.Distribution;
import software.amazon.awscdk.services.cloudfront.ErrorResponse;
import software.amazon.awscdk.services.cloudfront.HeadersFrameOption;
import software.amazon.awscdk.services.cloudfront.HeadersReferrerPolicy;
import software.amazon.awscdk.services.cloudfront.HttpVersion;
import software.amazon.awscdk.services.cloudfront.OriginRequestCookieBehavior;
import software.amazon.awscdk.services.cloudfront.OriginRequestHeaderBehavior;
import software.amazon.awscdk.services.cloudfront.OriginRequestPolicy;
import software.amazon.awscdk.services.cloudfront.OriginRequestQueryStringBehavior;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersContentTypeOptions;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersFrameOptions;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersPolicy;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersReferrerPolicy;
import software.amazon.awscdk.services.cloudfront.ResponseHeadersStrictTransportSecurity;
import software.amazon.awscdk.services.cloudfront.ResponseSecurityHeadersBehavior;
import software.amazon.awscdk.services.cloudfront.SecurityPolicyProtocol;
import software.amazon.awscdk.services.cloudfront.ViewerProtocolPolicy;
import software.amazon.awscdk.services.cloudfront.origins.FunctionUrlOrigin;
import software.amazon.awscdk.services.cloudfront.origins.FunctionUrlOriginWithOACProps;
import software.amazon.awscdk.services.lambda.CfnPermission;
import software.constructs.Construct;

/**
 * CloudFront in front of the redirect. It keeps a redirect for as long as the redirect says, five
 * seconds at the most, and nothing else; it never answers in the origin's place.
 */
final class EdgeStack extends Stack {
    /** The most that a copy of a redirect may live here. */
    static final Duration LONGEST = Duration.seconds(5);

    /** All codes for which CloudFront lets one say how long it keeps an error. */
    static final List<Integer> ERRORS =
            List.of(400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504);

    /** By which a limited link tells a person from a program that only looks. */
    static final List<String> TELLING = List.of("User-Agent", "Sec-Purpose", "Purpose", "X-Moz");

    private final Distribution distribution;
    private final String baseUrl;

    EdgeStack(
            Construct scope,
            String id,
            Settings settings,
            String firewall,
            DataStack data,
            RedirectStack redirect) {
        super(scope, id);
        Distribution.Builder builder =
                Distribution.Builder.create(this, "Edge")
                        .comment("Headstone: short URLs")
                        .defaultBehavior(behavior(redirect))
                        .errorResponses(ERRORS.stream().map(EdgeStack::notKept).toList())
                        .httpVersion(HttpVersion.HTTP2_AND_3)
                        .enableLogging(true)
                        .logBucket(data.accessLogs())
                        .logFilePrefix("edge/")
                        .webAclId(firewall)
                        .minimumProtocolVersion(SecurityPolicyProtocol.TLS_V1_2_2021);
        settings.domain()
                .ifPresent(
                        domain ->
                                builder.domainNames(List.of(domain.name()))
                                        .certificate(
                                                Certificate.fromCertificateArn(
                                                        this,
                                                        "Certificate",
                                                        domain.certificate())));
        distribution = builder.build();
        letTheEdgeInvoke(redirect);
        baseUrl =
                "https://"
                        + settings.domain()
                                .map(Settings.Domain::name)
                                .orElse(distribution.getDistributionDomainName());
        Accepted.finding(
                distribution,
                "AwsSolutions-CFR1",
                "Short URLs are for everybody, wherever they are.");
        if (settings.domain().isEmpty()) {
            Accepted.finding(
                    distribution,
                    "AwsSolutions-CFR4",
                    "Without a domain of one's own the certificate is CloudFront's, and so is the"
                            + " protocol that it accepts; --domain and --certificate end that.");
        }
        CfnOutput.Builder.create(this, "BaseUrl").value(baseUrl).build();
    }

    /**
     * A function URL asks for two permissions; the origin's own construct gives the other one.
     *
     * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html">Control access to
     *     function URLs</a>
     */
    private void letTheEdgeInvoke(RedirectStack redirect) {
        CfnPermission.Builder.create(this, "Invoke")
                .action("lambda:InvokeFunction")
                .invokedViaFunctionUrl(true)
                .functionName(redirect.redirect().alias().getFunctionArn())
                .principal("cloudfront.amazonaws.com")
                .sourceArn(distribution.getDistributionArn())
                .build();
    }

    private BehaviorOptions behavior(RedirectStack redirect) {
        return BehaviorOptions.builder()
                .origin(
                        FunctionUrlOrigin.withOriginAccessControl(
                                redirect.url(),
                                FunctionUrlOriginWithOACProps.builder()
                                        .readTimeout(
                                                Duration.seconds(
                                                        FunctionKind.REDIRECT.timeout().toSeconds()
                                                                + 1))
                                        .connectionAttempts(2)
                                        .connectionTimeout(Duration.seconds(2))
                                        .build()))
                .viewerProtocolPolicy(ViewerProtocolPolicy.HTTPS_ONLY)
                .allowedMethods(AllowedMethods.ALLOW_GET_HEAD)
                .cachedMethods(CachedMethods.CACHE_GET_HEAD)
                .compress(false)
                .cachePolicy(cachePolicy())
                .originRequestPolicy(originRequestPolicy())
                .responseHeadersPolicy(responseHeadersPolicy())
                .build();
    }

    /** What does not say how long it may be kept, is not kept. */
    private CachePolicy cachePolicy() {
        return CachePolicy.Builder.create(this, "Keeping")
                .comment("A redirect for as long as it says, five seconds at the most")
                .minTtl(Duration.seconds(0))
                .defaultTtl(Duration.seconds(0))
                .maxTtl(LONGEST)
                .queryStringBehavior(CacheQueryStringBehavior.none())
                .cookieBehavior(CacheCookieBehavior.none())
                .headerBehavior(CacheHeaderBehavior.none())
                .enableAcceptEncodingBrotli(false)
                .enableAcceptEncodingGzip(false)
                .build();
    }

    private OriginRequestPolicy originRequestPolicy() {
        return OriginRequestPolicy.Builder.create(this, "Forwarding")
                .comment("Who asks, and whether in advance; not what for")
                .queryStringBehavior(OriginRequestQueryStringBehavior.none())
                .cookieBehavior(OriginRequestCookieBehavior.none())
                .headerBehavior(
                        OriginRequestHeaderBehavior.allowList(TELLING.toArray(String[]::new)))
                .build();
    }

    /** Nothing here about caching: what the redirect says of it must arrive. */
    private ResponseHeadersPolicy responseHeadersPolicy() {
        return ResponseHeadersPolicy.Builder.create(this, "Headers")
                .securityHeadersBehavior(
                        ResponseSecurityHeadersBehavior.builder()
                                .strictTransportSecurity(
                                        ResponseHeadersStrictTransportSecurity.builder()
                                                .accessControlMaxAge(Duration.days(365))
                                                .includeSubdomains(false)
                                                .override(true)
                                                .build())
                                .contentTypeOptions(
                                        ResponseHeadersContentTypeOptions.builder()
                                                .override(true)
                                                .build())
                                .frameOptions(
                                        ResponseHeadersFrameOptions.builder()
                                                .frameOption(HeadersFrameOption.DENY)
                                                .override(true)
                                                .build())
                                .referrerPolicy(
                                        ResponseHeadersReferrerPolicy.builder()
                                                .referrerPolicy(HeadersReferrerPolicy.NO_REFERRER)
                                                .override(false)
                                                .build())
                                .build())
                .build();
    }

    private static ErrorResponse notKept(int status) {
        return ErrorResponse.builder().httpStatus(status).ttl(Duration.seconds(0)).build();
    }

    /** What short URLs begin with. */
    String baseUrl() {
        return baseUrl;
    }

    Distribution distribution() {
        return distribution;
    }
}
