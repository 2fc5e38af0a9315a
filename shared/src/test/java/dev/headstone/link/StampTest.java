package dev.headstone.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StampTest {
    @Property
    void textOrderIsStampOrder(
            @ForAll @LongRange(max = 9_999_999_999_999L) long epoch,
            @ForAll @LongRange(max = 9_999_999_999_999L) long otherEpoch,
            @ForAll @LongRange(max = Long.MAX_VALUE) long version,
            @ForAll @LongRange(max = Long.MAX_VALUE) long otherVersion,
            @ForAll boolean deleted,
            @ForAll boolean otherDeleted) {
        Stamp one = new Stamp(epoch, version, deleted);
        Stamp other = new Stamp(otherEpoch, otherVersion, otherDeleted);

        assertThat(Integer.signum(one.text().compareTo(other.text())))
                .isEqualTo(Integer.signum(one.compareTo(other)));
    }

    @Property
    void readsItsOwnText(
            @ForAll @LongRange(max = 9_999_999_999_999L) long epoch,
            @ForAll @LongRange(max = Long.MAX_VALUE) long version,
            @ForAll boolean deleted) {
        Stamp stamp = new Stamp(epoch, version, deleted);
        assertThat(Stamp.parse(stamp.text())).contains(stamp);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "9.9.0",
                "1790000000000.9223372036854775808.1",
                "1790000000000.9999999999999999999.1",
                "1790000000000.0000000000000000001.2",
                "1790000000000.0000000000000000001.00",
                "1790000000000-0000000000000000001.0",
                "1790000000000.000000000000000000١.0",
                "-790000000000.0000000000000000001.0"
            })
    void readsNothingElse(String text) {
        assertThat(Stamp.parse(text)).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 10_000_000_000_000L})
    void refusesAnEpochThatHasNotThirteenDigits(long epoch) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Stamp(epoch, 1, false));
    }
}
