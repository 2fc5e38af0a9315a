package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.schema.StreamViewType;
import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemCodec;
import dev.headstone.dynamodb.value.ItemSize;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a stream says of one change.
 *
 * @param number within the stream
 */
public record StreamRecord(
        long number,
        Kind kind,
        Instant at,
        Author author,
        Item keys,
        Optional<Item> oldImage,
        Optional<Item> newImage) {
    private static final int ABSENT = -1;

    // A stream of keys only still has to say what happened.
    private static final int WAS_THERE = 1;
    private static final int IS_THERE = 2;
    private static final int BY_EXPIRY = 4;

    /** What happened to the item. */
    public enum Kind {
        /** It was not there before. */
        INSERT,
        /** It was and is there. */
        MODIFY,
        /** It is no longer there. */
        REMOVE
    }

    /** The number as clients see it. */
    public String sequenceNumber() {
        return SequenceNumber.text(number);
    }

    /** The size of key and images in bytes. */
    public int sizeBytes() {
        return ItemSize.of(keys)
                + oldImage.map(ItemSize::of).orElse(0)
                + newImage.map(ItemSize::of).orElse(0);
    }

    /** When the record in {@code encoded} was made, without decoding the rest. */
    static Instant at(byte[] encoded) {
        return Instant.ofEpochMilli(ByteBuffer.wrap(encoded).getLong());
    }

    static byte[] encode(Change change, StreamViewType view, Instant at) {
        byte[] keys = change.keys().encoded();
        byte[] before = bytes(change.before(), view.hasOldImage());
        byte[] after = bytes(change.after(), view.hasNewImage());
        ByteBuffer out =
                ByteBuffer.allocate(
                        Long.BYTES
                                + 1
                                + 3 * Integer.BYTES
                                + keys.length
                                + (before == null ? 0 : before.length)
                                + (after == null ? 0 : after.length));
        out.putLong(at.toEpochMilli());
        out.put(flags(change));
        put(keys, out);
        put(before, out);
        put(after, out);
        return out.array();
    }

    static StreamRecord decode(long number, byte[] encoded) {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        Instant at = Instant.ofEpochMilli(in.getLong());
        byte flags = in.get();
        Author author = (flags & BY_EXPIRY) != 0 ? Author.EXPIRY : Author.CLIENT;
        Item keys = item(in).orElseThrow();
        Optional<Item> before = item(in);
        return new StreamRecord(number, kind(flags), at, author, keys, before, item(in));
    }

    private static byte flags(Change change) {
        int before = change.before().isPresent() ? WAS_THERE : 0;
        int after = change.after().isPresent() ? IS_THERE : 0;
        int author =
                switch (change.author()) {
                    case CLIENT -> 0;
                    case EXPIRY -> BY_EXPIRY;
                };
        return (byte) (before | after | author);
    }

    private static Kind kind(byte flags) {
        if ((flags & WAS_THERE) == 0) {
            return Kind.INSERT;
        }
        return (flags & IS_THERE) == 0 ? Kind.REMOVE : Kind.MODIFY;
    }

    private static byte @Nullable [] bytes(Optional<ItemBytes> image, boolean wanted) {
        return wanted && image.isPresent() ? image.get().encoded() : null;
    }

    private static void put(byte @Nullable [] item, ByteBuffer out) {
        if (item == null) {
            out.putInt(ABSENT);
        } else {
            out.putInt(item.length).put(item);
        }
    }

    private static Optional<Item> item(ByteBuffer in) {
        int length = in.getInt();
        if (length == ABSENT) {
            return Optional.empty();
        }
        byte[] encoded = new byte[length];
        in.get(encoded);
        return Optional.of(ItemCodec.decode(encoded));
    }
}
