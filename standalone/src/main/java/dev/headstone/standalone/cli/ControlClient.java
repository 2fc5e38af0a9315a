package dev.headstone.standalone.cli;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks the control port of a running {@code serve}. Follows no redirect: it carries a token. */
final class ControlClient implements AutoCloseable {
    /** A second more than the control port itself takes at most for an answer. */
    static final Duration ANSWER = Duration.ofSeconds(16);

    private static final Duration CONNECT = Duration.ofSeconds(3);

    /** Beyond any page of the audit log. */
    private static final long LONGEST_ANSWER_BYTES = 64L << 20;

    private final Place place;
    private final HttpClient http;

    ControlClient(Place place) {
        this.place = place;
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
    }

    /** Asks, and waits for the whole answer. */
    Reply ask(Question question) {
        CompletableFuture<HttpResponse<String>> answer =
                http.sendAsync(
                        request(question),
                        BodyHandlers.limiting(BodyHandlers.ofString(), LONGEST_ANSWER_BYTES));
        try {
            HttpResponse<String> answered =
                    answer.get(question.deadline().toMillis(), TimeUnit.MILLISECONDS);
            return new Reply.Answered(answered.statusCode(), answered.body(), retryAfter(answered));
        } catch (ExecutionException e) {
            return isUnreached(e.getCause()) ? new Reply.NotReached() : new Reply.NoAnswer();
        } catch (TimeoutException e) {
            answer.cancel(true);
            return new Reply.NoAnswer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.NoAnswer();
        }
    }

    private HttpRequest request(Question question) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(place.control() + question.path()))
                        .method(
                                question.method(),
                                question.body()
                                        .map(BodyPublishers::ofString)
                                        .orElseGet(BodyPublishers::noBody));
        if (!place.token().isEmpty()) {
            request.header("Authorization", "Bearer " + place.token());
        }
        question.body().ifPresent(_ -> request.header("Content-Type", "application/json"));
        question.key().ifPresent(key -> request.header("Idempotency-Key", key));
        return request.build();
    }

    private static Optional<String> retryAfter(HttpResponse<String> answered) {
        return answered.headers()
                .firstValue("Retry-After")
                .filter(seconds -> seconds.matches("[0-9]{1,6}"));
    }

    private static boolean isUnreached(@Nullable Throwable cause) {
        return cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
    }

    /** Does not wait for an answer that was given up. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
