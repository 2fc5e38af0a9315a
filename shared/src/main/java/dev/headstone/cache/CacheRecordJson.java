package dev.headstone.cache;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.headstone.cache.CacheRecord.Active;
import dev.headstone.cache.CacheRecord.Tombstone;
import dev.headstone.link.Cause;
import dev.headstone.link.Stamp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The record as the small JSON document that lies in the cache, there and back. What it takes for
 * readable is what {@code settle.lua} takes for readable: a value that only one of them could read
 * would never heal.
 */
public final class CacheRecordJson {
    /** No record is longer, in bytes: a destination has at most 2,048. */
    static final int LONGEST = 16_384;

    private static final long LARGEST_INTEGER = 9_007_199_254_740_991L; // 2^53 - 1, for Lua
    private static final int MOST_TAGS = 64;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(2)
                                    .maxNumberLength(32)
                                    .maxStringLength(LONGEST)
                                    .build())
                    .build();

    private CacheRecordJson() {}

    /** The document of {@code record}, UTF-8. A tombstone's has no destination to leak. */
    public static byte[] encode(CacheRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            switch (record) {
                case Active active -> encode(active, json);
                case Tombstone tombstone -> {
                    json.writeStringField("state", "deleted");
                    json.writeStringField("stamp", tombstone.stamp().text());
                    if (tombstone.cause().isPresent()) {
                        json.writeStringField("cause", tombstone.cause().get().wireName());
                    }
                }
            }
            json.writeNumberField("stale_until", record.staleUntil().toEpochMilli());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static void encode(Active active, JsonGenerator json) throws IOException {
        json.writeStringField("state", "active");
        json.writeStringField("stamp", active.stamp().text());
        json.writeStringField("long_url", active.longUrl());
        if (active.host().isPresent()) {
            json.writeStringField("host", active.host().get());
        }
        if (active.owner().isPresent()) {
            json.writeStringField("owner", active.owner().get());
        }
        if (!active.tags().isEmpty()) {
            json.writeArrayFieldStart("tags");
            for (String tag : active.tags()) {
                json.writeString(tag);
            }
            json.writeEndArray();
        }
        if (active.expiresAt().isPresent()) {
            json.writeNumberField("expires_at", active.expiresAt().get().toEpochMilli());
        }
        if (active.visitLimit().isPresent()) {
            json.writeNumberField("visit_limit", active.visitLimit().getAsLong());
        }
        json.writeNumberField("fresh_until", active.freshUntil().toEpochMilli());
    }

    /** The record that {@code bytes} are, or empty if they are unreadable. Never throws. */
    public static Optional<CacheRecord> decode(byte[] bytes) {
        if (bytes.length > LONGEST) {
            return Optional.empty();
        }
        try (JsonParser json = JSON.createParser(bytes)) {
            Fields fields = new Fields();
            if (json.nextToken() != JsonToken.START_OBJECT || !fields.readFrom(json)) {
                return Optional.empty();
            }
            return json.nextToken() == null ? fields.record() : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The fields of one document while it is read. */
    private static final class Fields {
        private @Nullable String state;
        private @Nullable String stamp;
        private @Nullable String longUrl;
        private @Nullable String host;
        private @Nullable String owner;
        private @Nullable String cause;
        private List<String> tags = List.of();
        private long expiresAt = -1;
        private long visitLimit = -1;
        private long freshUntil = -1;
        private long staleUntil = -1;

        /** Whether every known field had its type; stops at the first that had not. */
        private boolean readFrom(JsonParser json) throws IOException {
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (!take(name, value, json)) {
                    return false;
                }
            }
            return json.currentToken() == JsonToken.END_OBJECT;
        }

        private boolean take(String name, JsonToken value, JsonParser json) throws IOException {
            return switch (name) {
                case "state" -> (state = text(value, json)) != null;
                case "stamp" -> (stamp = text(value, json)) != null;
                case "long_url" -> (longUrl = text(value, json)) != null;
                case "host" -> (host = text(value, json)) != null;
                case "owner" -> (owner = text(value, json)) != null;
                case "cause" -> (cause = text(value, json)) != null;
                case "tags" -> takeTags(value, json);
                case "expires_at" -> (expiresAt = number(value, json)) >= 0;
                case "visit_limit" -> (visitLimit = number(value, json)) > 0;
                case "fresh_until" -> (freshUntil = number(value, json)) >= 0;
                case "stale_until" -> (staleUntil = number(value, json)) >= 0;
                default -> skip(value, json);
            };
        }

        /** A field that a later release may have added: any scalar, or an array of texts. */
        private static boolean skip(JsonToken value, JsonParser json) throws IOException {
            return value.isScalarValue() || texts(value, json) != null;
        }

        private boolean takeTags(JsonToken value, JsonParser json) throws IOException {
            List<String> texts = texts(value, json);
            if (texts == null) {
                return false;
            }
            tags = texts;
            return true;
        }

        private static @Nullable List<String> texts(JsonToken value, JsonParser json)
                throws IOException {
            if (value != JsonToken.START_ARRAY) {
                return null;
            }
            List<String> texts = new ArrayList<>();
            while (json.nextToken() == JsonToken.VALUE_STRING) {
                texts.add(json.getText());
            }
            return json.currentToken() == JsonToken.END_ARRAY && texts.size() <= MOST_TAGS
                    ? texts
                    : null;
        }

        private static @Nullable String text(JsonToken value, JsonParser json) throws IOException {
            return value == JsonToken.VALUE_STRING ? json.getText() : null;
        }

        private static long number(JsonToken value, JsonParser json) throws IOException {
            if (value != JsonToken.VALUE_NUMBER_INT || json.getTextLength() > 16) {
                return -1;
            }
            long number = json.getLongValue();
            return number <= LARGEST_INTEGER ? number : -1;
        }

        private Optional<CacheRecord> record() {
            String kind = state;
            if (kind == null || stamp == null || staleUntil < 0) {
                return Optional.empty();
            }
            return Stamp.parse(stamp).flatMap(read -> record(kind, read));
        }

        private Optional<CacheRecord> record(String kind, Stamp read) {
            return switch (kind) {
                case "active" -> active(read);
                case "deleted" -> tombstone(read);
                default -> Optional.empty();
            };
        }

        private Optional<CacheRecord> active(Stamp read) {
            if (read.deleted()
                    || longUrl == null
                    || !isDestination(longUrl)
                    || freshUntil < 0
                    || (host != null && !isVisibleAscii(host, 0))
                    || (owner != null && !isVisibleAscii(owner, 0))) {
                return Optional.empty();
            }
            return Optional.of(
                    new Active(
                            read,
                            longUrl,
                            Optional.ofNullable(host),
                            Optional.ofNullable(owner),
                            tags,
                            expiresAt < 0
                                    ? Optional.empty()
                                    : Optional.of(Instant.ofEpochMilli(expiresAt)),
                            visitLimit < 0 ? OptionalLong.empty() : OptionalLong.of(visitLimit),
                            Instant.ofEpochMilli(freshUntil),
                            Instant.ofEpochMilli(staleUntil)));
        }

        /** A tombstone that carries a destination is none of ours, and must be replaced. */
        private Optional<CacheRecord> tombstone(Stamp read) {
            if (!read.deleted() || longUrl != null || host != null) {
                return Optional.empty();
            }
            return Optional.of(
                    new Tombstone(
                            read,
                            Instant.ofEpochMilli(staleUntil),
                            Optional.ofNullable(cause).flatMap(Cause::of)));
        }

        /** What may stand in a {@code Location}, whoever wrote it into the cache. */
        private static boolean isDestination(String url) {
            return (url.startsWith("https://") && isVisibleAscii(url, 8))
                    || (url.startsWith("http://") && isVisibleAscii(url, 7));
        }

        private static boolean isVisibleAscii(String text, int from) {
            for (int i = from; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c <= ' ' || c > '~') {
                    return false;
                }
            }
            return text.length() > from;
        }
    }
}
