package dev.headstone.cache;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Sentinels that say who the primary is. What counts is what most of those say that were
 * configured: one of them alone may have missed a failover, or be on the wrong side of a cut, and
 * of two majorities one Sentinel is in both. Safe for use by several threads.
 */
final class Sentinels implements AutoCloseable {
    private static final RedisCodec<String, byte[]> CODEC =
            RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
    private static final Duration ANSWER = Duration.ofSeconds(1);

    private final RedisURI uri;
    private final List<RedisConnector> connectors;

    /**
     * @param uri with all Sentinels and the name that they know the primary by
     */
    Sentinels(RedisClient client, RedisURI uri) {
        this.uri = uri;
        this.connectors =
                uri.getSentinels().stream()
                        .map(
                                sentinel ->
                                        new RedisConnector(
                                                client,
                                                () -> CompletableFuture.completedFuture(sentinel)))
                        .toList();
    }

    /** Where to connect to. Fails while too few say the same. Never blocks. */
    CompletionStage<RedisURI> primary() {
        return named().thenApply(
                        name -> {
                            String address =
                                    name.orElseThrow(
                                            () ->
                                                    new RedisException(
                                                            "too few Sentinels say the same"));
                            int colon = address.lastIndexOf(':');
                            return CacheAddress.beside(
                                    uri,
                                    address.substring(0, colon),
                                    Integer.parseInt(address.substring(colon + 1)));
                        });
    }

    /** The address that most Sentinels name, asked now; empty if there is none. Never blocks. */
    CompletionStage<Optional<String>> named() {
        List<CompletableFuture<Optional<String>>> answers =
                connectors.stream().map(this::ask).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(_ -> most(answers));
    }

    private Optional<String> most(List<CompletableFuture<Optional<String>>> answers) {
        Map<String, Long> votes =
                answers.stream()
                        .map(CompletableFuture::join)
                        .flatMap(Optional::stream)
                        .collect(Collectors.groupingBy(address -> address, Collectors.counting()));
        return votes.entrySet().stream()
                .filter(vote -> vote.getValue() * 2 > connectors.size())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private CompletableFuture<Optional<String>> ask(RedisConnector connector) {
        RedisAsyncCommands<String, byte[]> sentinel = connector.commands();
        if (sentinel == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return sentinel.<List<byte[]>>dispatch(
                        CommandType.SENTINEL,
                        new ValueListOutput<>(CODEC),
                        new CommandArgs<>(CODEC)
                                .add("get-master-addr-by-name")
                                .add(Objects.requireNonNull(uri.getSentinelMasterId())))
                .toCompletableFuture()
                .orTimeout(ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                .handle((parts, _) -> address(parts));
    }

    private static Optional<String> address(@Nullable List<byte[]> parts) {
        return parts == null || parts.size() != 2
                ? Optional.empty()
                : Optional.of(text(parts.getFirst()) + ":" + text(parts.getLast()));
    }

    private static String text(byte[] part) {
        return new String(part, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connectors.forEach(RedisConnector::close);
    }
}
