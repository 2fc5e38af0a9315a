package dev.headstone.dynamodb.stream;

import dev.headstone.dynamodb.value.Item;
import dev.headstone.dynamodb.value.ItemCodec;

/** An item in the bytes of the storage. Not to be changed. */
public final class ItemBytes {
    private final byte[] encoded;

    private ItemBytes(byte[] encoded) {
        this.encoded = encoded;
    }

    /** Takes the bytes without a copy. */
    public static ItemBytes of(byte[] encoded) {
        return new ItemBytes(encoded);
    }

    /** The item's bytes. */
    public static ItemBytes of(Item item) {
        return new ItemBytes(ItemCodec.encode(item));
    }

    /** The bytes. */
    public byte[] encoded() {
        return encoded;
    }
}
