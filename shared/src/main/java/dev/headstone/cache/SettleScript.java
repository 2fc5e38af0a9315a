package dev.headstone.cache;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The text of {@code settle.lua}, the one script that writes {@code url:*}. */
public final class SettleScript {
    private SettleScript() {}

    /** The script as it ships; whoever runs it, a Redis or the model check, runs this text. */
    public static String text() {
        try (InputStream script = SettleScript.class.getResourceAsStream("settle.lua")) {
            if (script == null) {
                throw new IllegalStateException("settle.lua is missing from the class path");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("settle.lua cannot be read", e);
        }
    }

    /** Its second argument for {@code settlement}. */
    static String verb(Settlement settlement) {
        return switch (settlement) {
            case Settlement.Write _ -> "write";
            case Settlement.DropOlder _ -> "drop-older";
            case Settlement.DropUpTo _ -> "drop-up-to";
            case Settlement.DropAll _ -> "drop-all";
            case Settlement.Release _ -> "release";
        };
    }

    /** All its arguments, as text but for the record. */
    public static byte[][] arguments(String token, Settlement settlement) {
        return switch (settlement) {
            case Settlement.Write(CacheRecord record, var life) ->
                    new byte[][] {
                        bytes(token),
                        bytes(verb(settlement)),
                        bytes(record.stamp().text()),
                        CacheRecordJson.encode(record),
                        bytes(Long.toString(life.toMillis()))
                    };
            case Settlement.DropOlder(var live) -> arguments(token, settlement, live.text());
            case Settlement.DropUpTo(var last) -> arguments(token, settlement, last.text());
            case Settlement.DropAll _, Settlement.Release _ -> arguments(token, settlement, "");
        };
    }

    private static byte[][] arguments(String token, Settlement settlement, String stamp) {
        return new byte[][] {bytes(token), bytes(verb(settlement)), bytes(stamp)};
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
