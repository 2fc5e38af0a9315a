package dev.headstone.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class ItemCodecTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Provide
    Arbitrary<Item> items() {
        return AnyValue.item();
    }

    @Property(tries = 300)
    void aStoredItemReadsBackEqual(@ForAll("items") Item item) {
        assertThat(ItemCodec.decode(ItemCodec.encode(item))).isEqualTo(item);
    }

    @Property(tries = 300)
    void anItemOnTheWireReadsBackEqual(@ForAll("items") Item item) throws IOException {
        String wire = ItemJson.encode(item).toString();

        assertThat(ItemJson.decodeItem(JSON.readTree(wire))).isEqualTo(item);
        assertThat(written(item)).isEqualTo(wire);
    }

    @Property(tries = 300)
    void otherBytesAreRefusedOrReadAsSomeItem(@ForAll byte[] noise) {
        try {
            Item item = ItemCodec.decode(noise);
            assertThat(ItemCodec.decode(ItemCodec.encode(item))).isEqualTo(item);
        } catch (IllegalArgumentException refusal) {
            assertThat(refusal).hasMessageNotContaining("null");
        }
    }

    @Test
    void bytesBehindTheItemAreRefused() {
        assertThatThrownBy(() -> ItemCodec.decode(new byte[] {0, 0}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 bytes behind the item");
    }

    private static String written(Item item) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            ItemJson.write(item, out);
        }
        return text.toString();
    }
}
