package dev.headstone.proof.script;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.OneArgFunction;

/**
 * {@code cjson.decode} as it is in Redis. What it takes is not what JSON allows: any bytes within
 * texts, numbers as C reads them, and a byte that is zero ends the document wherever it stands. No
 * JSON library is so lenient in just these ways, and what the script makes of garbage hangs on
 * them; so it is written out here, after the grammar of lua-cjson 2.1.
 */
final class Cjson extends OneArgFunction {
    /** What a null becomes: something that equals nothing else, and no nil. */
    private static final LuaValue NOTHING = LuaValue.userdataOf(new Object());

    @Override
    public LuaValue call(LuaValue text) {
        LuaString bytes = text.checkstring();
        return new Document(
                        new String(
                                bytes.m_bytes,
                                bytes.m_offset,
                                bytes.m_length,
                                StandardCharsets.ISO_8859_1))
                .read();
    }

    /** One document while it is read, one character for each byte. */
    private static final class Document {
        private static final int DEEPEST = 1_000;
        private static final char END = '\0';

        /** What {@code strtod} reads: hexadecimal, decimal, or none at all. */
        private static final Pattern NUMBER =
                Pattern.compile(
                        "[+-]?(?:"
                                + "(?<hex>0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)"
                                + "(?:[pP][+-]?[0-9]+)?)"
                                + "|(?<decimal>(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
                                + "|(?<infinite>(?i:infinity|inf))"
                                + "|(?<none>(?i:nan)(?:\\([0-9A-Za-z_]*\\))?))");

        private final String text;
        private int at;
        private int depth;

        private Document(String text) {
            this.text = text;
        }

        private LuaValue read() {
            if (text.length() >= 2 && (text.charAt(0) == END || text.charAt(1) == END)) {
                throw new LuaError("UTF-16 or UTF-32");
            }
            LuaValue value = value();
            if (next() != END) {
                throw fault();
            }
            return value;
        }

        /** The character at hand; the end is like a byte that is zero. */
        private char here() {
            return ahead(0);
        }

        private char ahead(int by) {
            return at + by < text.length() ? text.charAt(at + by) : END;
        }

        /** The next character that is no white space; it stays at hand. */
        private char next() {
            while (here() == ' ' || here() == '\t' || here() == '\n' || here() == '\r') {
                at++;
            }
            return here();
        }

        private LuaError fault() {
            return new LuaError("no JSON at " + at);
        }

        private LuaValue value() {
            char first = next();
            return switch (first) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> text();
                case '-', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'i', 'I', 'N' ->
                        number();
                case 't' -> word("true", LuaValue.TRUE);
                case 'f' -> word("false", LuaValue.FALSE);
                case 'n' -> text.startsWith("null", at) ? word("null", NOTHING) : number();
                default -> throw fault();
            };
        }

        private LuaValue word(String word, LuaValue meaning) {
            if (!text.startsWith(word, at)) {
                throw fault();
            }
            at += word.length();
            return meaning;
        }

        private LuaValue number() {
            Matcher number = NUMBER.matcher(text).region(at, text.length());
            if (!number.lookingAt()) {
                throw fault();
            }
            at = number.end();
            boolean negative = number.group().startsWith("-");
            double size = size(number);
            return LuaValue.valueOf(negative ? -size : size);
        }

        private static double size(Matcher number) {
            String hex = number.group("hex");
            if (hex != null) {
                boolean scaled = hex.indexOf('p') >= 0 || hex.indexOf('P') >= 0;
                return Double.parseDouble(scaled ? hex : hex + "p0");
            }
            String decimal = number.group("decimal");
            if (decimal != null) {
                return Double.parseDouble(decimal);
            }
            return number.group("infinite") != null ? Double.POSITIVE_INFINITY : Double.NaN;
        }

        private void descend() {
            if (++depth > DEEPEST) {
                throw new LuaError("nested too deep");
            }
            at++;
        }

        private LuaValue object() {
            LuaTable object = new LuaTable();
            descend();
            for (boolean first = true; next() != '}' || !first; first = false) {
                if (next() != '"') {
                    throw fault();
                }
                LuaValue name = text();
                if (next() != ':') {
                    throw fault();
                }
                at++;
                object.set(name, value());
                if (isLast('}')) {
                    break;
                }
            }
            ascend();
            return object;
        }

        private LuaValue array() {
            LuaTable array = new LuaTable();
            descend();
            for (int length = 1; next() != ']' || length > 1; length++) {
                array.set(length, value());
                if (isLast(']')) {
                    break;
                }
            }
            ascend();
            return array;
        }

        /** Whether {@code end} comes next, which stays at hand, rather than a comma. */
        private boolean isLast(char end) {
            char next = next();
            if (next == ',') {
                at++;
                return false;
            }
            if (next != end) {
                throw fault();
            }
            return true;
        }

        private void ascend() {
            depth--;
            at++;
        }

        private LuaString text() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (at++; here() != '"'; ) {
                if (here() == END) {
                    throw fault();
                }
                if (here() == '\\') {
                    escape(bytes);
                } else {
                    bytes.write(here());
                    at++;
                }
            }
            at++;
            return LuaString.valueOf(bytes.toByteArray());
        }

        private void escape(ByteArrayOutputStream bytes) {
            char meant =
                    switch (ahead(1)) {
                        case '"' -> '"';
                        case '\\' -> '\\';
                        case '/' -> '/';
                        case 'b' -> '\b';
                        case 't' -> '\t';
                        case 'n' -> '\n';
                        case 'f' -> '\f';
                        case 'r' -> '\r';
                        case 'u' -> 'u';
                        default -> throw fault();
                    };
            if (meant == 'u') {
                bytes.writeBytes(character().getBytes(StandardCharsets.UTF_8));
            } else {
                bytes.write(meant);
                at += 2;
            }
        }

        private String character() {
            char first = unit();
            if (!Character.isSurrogate(first)) {
                return String.valueOf(first);
            }
            if (Character.isLowSurrogate(first) || here() != '\\' || ahead(1) != 'u') {
                throw fault();
            }
            char second = unit();
            if (!Character.isLowSurrogate(second)) {
                throw fault();
            }
            return new String(new char[] {first, second});
        }

        private char unit() {
            int unit = 0;
            for (int i = 2; i < 6; i++) {
                int digit = Character.digit(ahead(i), 16);
                if (digit < 0 || ahead(i) > 'f') {
                    throw fault();
                }
                unit = unit << 4 | digit;
            }
            at += 6;
            return (char) unit;
        }
    }
}
