package dev.headstone.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DynamoNumberTest {
    private static final String NINES = "9".repeat(38);

    @Provide
    Arbitrary<DynamoNumber> numbers() {
        return AnyValue.number();
    }

    @Property(tries = 1000)
    void theTextOfANumberReadsBackAsTheSameNumber(@ForAll("numbers") DynamoNumber number) {
        assertThat(DynamoNumber.parse(number.text())).isEqualTo(number);
        assertThat(DynamoNumber.parse(number.value().toString())).isEqualTo(number);
    }

    @ParameterizedTest(name = "{0} is returned as {1}")
    @CsvSource({
        "1, 1",
        "+1, 1",
        "-1, -1",
        "1.0, 1",
        "001.50, 1.5",
        ".5, 0.5",
        "5., 5",
        "1e3, 1000",
        "1E-3, 0.001",
        "-0, 0",
        "0.000, 0",
        "0e999999999999999, 0",
        "100, 100",
        "1000e-3, 1",
        "-12.30e+1, -123"
    })
    void isReturnedInPlainNotation(String written, String returned) {
        assertThat(DynamoNumber.parse(written).text()).isEqualTo(returned);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc",
                "1a",
                "1e",
                "1e+",
                "--1",
                "+",
                ".",
                "e5",
                "1 ",
                " 1",
                "NaN",
                "Infinity",
                "0x1",
                "1_0",
                "\u0663",
                "1.2.3"
            })
    void otherTextIsNotANumber(String text) {
        assertThatThrownBy(() -> DynamoNumber.parse(text))
                .isInstanceOf(ValidationException.class)
                .hasMessage("The parameter cannot be converted to a numeric value: " + text);
    }

    @Test
    void theEmptyTextIsNotANumber() {
        assertThatThrownBy(() -> DynamoNumber.parse(""))
                .isInstanceOf(ValidationException.class)
                .hasMessage("The parameter cannot be converted to a numeric value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e126", "-1e126", "10e125", "1e999999999999999999999"})
    void tooLargeANumberIsAnOverflow(String text) {
        assertThatThrownBy(() -> DynamoNumber.parse(text))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "Number overflow. Attempting to store a number with magnitude larger than supported range");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e-131", "-1e-131", "0.9e-130", "1e-999999999999999999999"})
    void tooSmallANumberIsAnUnderflow(String text) {
        assertThatThrownBy(() -> DynamoNumber.parse(text))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "Number underflow. Attempting to store a number with magnitude smaller than supported range");
    }

    @Test
    void thirtyEightDigitsAreKeptAndOneMoreIsRefused() {
        assertThat(DynamoNumber.parse(NINES).text()).isEqualTo(NINES);
        assertThat(DynamoNumber.parse(NINES + "000").text()).isEqualTo(NINES + "000");

        assertThatThrownBy(() -> DynamoNumber.parse(NINES + "9"))
                .isInstanceOf(ValidationException.class)
                .hasMessage("Attempting to store more than 38 significant digits in a Number");
    }

    @Test
    void theLimitsOfMagnitudeAreKept() {
        assertThat(DynamoNumber.parse("9." + "9".repeat(37) + "e125").text())
                .startsWith(NINES)
                .hasSize(126);
        assertThat(DynamoNumber.parse("1e-130").text()).isEqualTo("0." + "0".repeat(129) + "1");
    }

    @Test
    void sumsAndDifferencesObeyTheSameLimits() {
        assertThat(DynamoNumber.parse("0.1").plus(DynamoNumber.parse("0.2")).text())
                .isEqualTo("0.3");
        assertThat(DynamoNumber.of(1).minus(DynamoNumber.of(3)).text()).isEqualTo("-2");

        assertThatThrownBy(() -> DynamoNumber.parse(NINES).plus(DynamoNumber.parse("0.1")))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("Number overflow.");
    }

    @Test
    void aMegabyteOfDigitsIsReadInNoTime() {
        assertThatThrownBy(() -> DynamoNumber.parse("7".repeat(1 << 20)))
                .isInstanceOf(ValidationException.class);
        assertThat(DynamoNumber.parse("0".repeat(1 << 20))).isEqualTo(DynamoNumber.ZERO);
    }
}
