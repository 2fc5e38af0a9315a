package dev.headstone.lambda;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/**
 * A secret in Systems Manager's parameter store. One signed request over the SDK's own signer: the
 * service's module has six megabytes, a third of what the redirect may have in all.
 */
final class EncryptedParameter {
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration READ = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 2;
    private static final String SERVICE = "ssm";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Optional<URI> endpoint;

    /**
     * @param name of the parameter, or its ARN
     * @param endpoint where the service answers, if not where it does on AWS
     */
    EncryptedParameter(String name, Optional<URI> endpoint) {
        this.name = name;
        this.endpoint = endpoint;
    }

    /**
     * Its value, decrypted; at most two attempts of three seconds each.
     *
     * @throws IllegalStateException naming the parameter and why it cannot be read
     */
    String value() {
        Region region = new DefaultAwsRegionProviderChain().getRegion();
        try (SdkHttpClient http =
                        UrlConnectionHttpClient.builder()
                                .connectionTimeout(CONNECT)
                                .socketTimeout(READ)
                                .build();
                DefaultCredentialsProvider credentials =
                        DefaultCredentialsProvider.builder().build()) {
            SignedRequest request = signed(region, credentials);
            return ask(http, request, ATTEMPTS);
        }
    }

    private SignedRequest signed(Region region, AwsCredentialsProvider credentials) {
        String body =
                JSON.createObjectNode().put("Name", name).put("WithDecryption", true).toString();
        SdkHttpRequest request =
                SdkHttpRequest.builder()
                        .method(SdkHttpMethod.POST)
                        .uri(endpoint.orElseGet(() -> onAws(region)))
                        .putHeader("Connection", "close") // once in minutes, and before a snapshot
                        .putHeader("Content-Type", "application/x-amz-json-1.1")
                        .putHeader("X-Amz-Target", "AmazonSSM.GetParameter")
                        .build();
        return AwsV4HttpSigner.create()
                .sign(
                        sign ->
                                sign.identity(credentials.resolveCredentials())
                                        .request(request)
                                        .payload(ContentStreamProvider.fromUtf8String(body))
                                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                                        .putProperty(AwsV4HttpSigner.REGION_NAME, region.id()));
    }

    private static URI onAws(Region region) {
        return URI.create(
                "https://%s.%s.%s/"
                        .formatted(
                                SERVICE, region.id(), region.metadata().partition().dnsSuffix()));
    }

    private String ask(SdkHttpClient http, SignedRequest request, int attempts) {
        try {
            HttpExecuteResponse response =
                    http.prepareRequest(
                                    HttpExecuteRequest.builder()
                                            .request(request.request())
                                            .contentStreamProvider(request.payload().orElse(null))
                                            .build())
                            .call();
            return value(response);
        } catch (IOException e) {
            if (attempts > 1) {
                return ask(http, request, attempts - 1);
            }
            throw new IllegalStateException(
                    "parameter %s cannot be read: %s".formatted(name, e.getMessage()), e);
        }
    }

    /** An error is named by its type alone: the service's words may quote what was asked for. */
    private String value(HttpExecuteResponse response) throws IOException {
        int status = response.httpResponse().statusCode();
        try (InputStream body =
                response.responseBody()
                        .map(InputStream.class::cast)
                        .orElse(InputStream.nullInputStream())) {
            JsonNode answer = JSON.readTree(body);
            String value = answer.at("/Parameter/Value").asText("");
            if (status != 200 || value.isEmpty()) {
                throw new IOException(
                        "%d %s".formatted(status, answer.path("__type").asText("without a value")));
            }
            return value;
        }
    }
}
