package dev.headstone.dynamodb.value;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A number as DynamoDB holds it: at most {@value #MAX_DIGITS} significant decimal digits, zero or
 * of a magnitude from 1E-130 to 9.99…E+125. Two numbers of the same value are equal, however they
 * were written.
 *
 * @param value the number without trailing zeros
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html">
 *     the service's data types</a>
 */
public record DynamoNumber(BigDecimal value) implements Comparable<DynamoNumber> {
    /** The most significant digits a number can have. */
    public static final int MAX_DIGITS = 38;

    /** Zero. */
    public static final DynamoNumber ZERO = new DynamoNumber(BigDecimal.ZERO);

    private static final int MAX_EXPONENT = 125;
    private static final int MIN_EXPONENT = -130;
    private static final String OVERFLOW =
            "Number overflow. Attempting to store a number with magnitude larger than supported range";
    private static final String NOT_A_NUMBER =
            "The parameter cannot be converted to a numeric value";

    /**
     * Trims trailing zeros.
     *
     * @throws ValidationException if the number is too large, too small or too precise
     */
    public DynamoNumber {
        value = value.stripTrailingZeros();
        if (value.signum() == 0) {
            value = BigDecimal.ZERO;
        } else {
            requireStorable((long) value.precision() - value.scale() - 1, value.precision());
        }
    }

    /** The number of that value. */
    public static DynamoNumber of(long value) {
        return new DynamoNumber(BigDecimal.valueOf(value));
    }

    /**
     * Reads decimal notation with an optional sign, fraction and exponent, in time linear to its
     * length.
     *
     * @throws ValidationException if {@code text} is no number, or one that is too large, too small
     *     or too precise
     */
    public static DynamoNumber parse(String text) {
        return new Scan(text).number();
    }

    /** The sum. Throws {@link ValidationException} if it is too large, too small or too precise. */
    public DynamoNumber plus(DynamoNumber addend) {
        return computed(value.add(addend.value));
    }

    /**
     * The difference. Throws {@link ValidationException} if it is too large, too small or too
     * precise.
     */
    public DynamoNumber minus(DynamoNumber subtrahend) {
        return computed(value.subtract(subtrahend.value));
    }

    private static DynamoNumber computed(BigDecimal exact) {
        if (exact.stripTrailingZeros().precision() > MAX_DIGITS) {
            throw new ValidationException(
                    OVERFLOW); // what the service calls it, whatever the magnitude
        }
        return new DynamoNumber(exact);
    }

    /**
     * The number in plain notation without an exponent or surplus zeros, as the service returns it.
     */
    public String text() {
        return value.toPlainString();
    }

    @Override
    public int compareTo(DynamoNumber other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return text();
    }

    /** The power of ten of the first digit. */
    int exponent() {
        return value.precision() - value.scale() - 1;
    }

    private static void requireStorable(long exponent, int digits) {
        if (exponent > MAX_EXPONENT) {
            throw new ValidationException(OVERFLOW);
        }
        if (exponent < MIN_EXPONENT) {
            throw new ValidationException(
                    "Number underflow. Attempting to store a number with magnitude smaller than supported range");
        }
        if (digits > MAX_DIGITS) {
            throw new ValidationException(
                    "Attempting to store more than 38 significant digits in a Number");
        }
    }

    /**
     * One pass over a number's text: BigDecimal alone would take other alphabets' digits and
     * quadratic time.
     */
    private static final class Scan {
        private static final long EXPONENT_CEILING = 1_000_000_000_000L;

        private final String text;
        private final StringBuilder digits = new StringBuilder();
        private int position;
        private long pointShift;
        private boolean anyDigit;

        Scan(String text) {
            this.text = text;
        }

        DynamoNumber number() {
            boolean negative = sign();
            digits(0);
            if (take('.')) {
                digits(-1);
            }
            if (!anyDigit) {
                throw notANumber();
            }
            long exponent = take('e') || take('E') ? exponent() : 0;
            if (position < text.length()) {
                throw notANumber();
            }
            return value(negative, exponent + pointShift);
        }

        private DynamoNumber value(boolean negative, long lastDigitsExponent) {
            int length = digits.length();
            while (length > 0 && digits.charAt(length - 1) == '0') {
                length--;
            }
            if (length == 0) {
                return ZERO;
            }
            long scale = -(lastDigitsExponent + digits.length() - length);
            requireStorable(length - scale - 1, length);
            BigInteger unscaled = new BigInteger(digits.substring(0, length));
            return new DynamoNumber(
                    new BigDecimal(negative ? unscaled.negate() : unscaled, (int) scale));
        }

        private void digits(int shiftPerDigit) {
            for (; position < text.length() && isDigit(text.charAt(position)); position++) {
                char digit = text.charAt(position);
                if (digit != '0' || !digits.isEmpty()) {
                    digits.append(digit);
                }
                pointShift += shiftPerDigit;
                anyDigit = true;
            }
        }

        private long exponent() {
            boolean negative = sign();
            int first = position;
            long exponent = 0;
            for (; position < text.length() && isDigit(text.charAt(position)); position++) {
                exponent =
                        Math.min(exponent * 10 + (text.charAt(position) - '0'), EXPONENT_CEILING);
            }
            if (position == first) {
                throw notANumber();
            }
            return negative ? -exponent : exponent;
        }

        /** Steps over a sign and says whether it was a minus. */
        private boolean sign() {
            boolean negative = take('-');
            if (!negative) {
                take('+');
            }
            return negative;
        }

        private boolean take(char expected) {
            boolean found = position < text.length() && text.charAt(position) == expected;
            if (found) {
                position++;
            }
            return found;
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        private ValidationException notANumber() {
            return new ValidationException(
                    text.isEmpty() ? NOT_A_NUMBER : NOT_A_NUMBER + ": " + text);
        }
    }
}
