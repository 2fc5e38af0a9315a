package dev.headstone.proof.script;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LoadState;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;
import org.luaj.vm2.lib.jse.JseBaseLib;
import org.luaj.vm2.lib.jse.JseMathLib;

/**
 * Runs the text of a script as a Redis would, over a {@link MemoryRedis}. For one thread.
 *
 * <p>What Redis puts at a script's disposal is there as far as {@code settle.lua} uses it: {@code
 * redis.call} with TYPE, GET, SET … PX and DEL, and {@code cjson.decode}.
 */
public final class SettleInterpreter {
    private final Globals globals = new Globals();
    private final LuaValue script;
    private MemoryRedis redis = new MemoryRedis();

    /**
     * @throws org.luaj.vm2.LuaError if the text is no Lua
     */
    public SettleInterpreter(String text) {
        globals.load(new JseBaseLib());
        globals.load(new PackageLib());
        globals.load(new TableLib());
        globals.load(new StringLib());
        globals.load(new JseMathLib());
        LoadState.install(globals);
        LuaC.install(globals);
        LuaValue string = globals.get("string");
        string.set("format", new Format(string.get("format")));
        LuaTable cjson = new LuaTable();
        cjson.set("decode", new Cjson());
        globals.set("cjson", cjson);
        LuaTable calls = new LuaTable();
        calls.set("call", new Call());
        globals.set("redis", calls);
        script = globals.load(text, "settle");
    }

    /**
     * Runs it.
     *
     * @param arguments one character for each byte
     * @throws org.luaj.vm2.LuaError if the script fails
     */
    public ScriptReply run(MemoryRedis on, List<String> keys, List<String> arguments) {
        redis = on;
        globals.set("KEYS", table(keys));
        globals.set("ARGV", table(arguments));
        LuaTable reply = script.call().checktable();
        return new ScriptReply(
                chars(reply.get(1)), reply.get(2).isnil() ? "" : chars(reply.get(2)));
    }

    private static LuaTable table(List<String> texts) {
        LuaTable table = new LuaTable();
        for (int i = 0; i < texts.size(); i++) {
            table.set(i + 1, bytes(texts.get(i)));
        }
        return table;
    }

    private static LuaString bytes(String chars) {
        return LuaString.valueOf(chars.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String chars(LuaValue value) {
        LuaString text = value.checkstring();
        return new String(text.m_bytes, text.m_offset, text.m_length, StandardCharsets.ISO_8859_1);
    }

    /** {@code redis.call}. */
    private final class Call extends VarArgFunction {
        @Override
        public Varargs invoke(Varargs arguments) {
            String key = chars(arguments.arg(2));
            return switch (chars(arguments.arg(1))) {
                case "TYPE" -> status(redis.type(key));
                case "GET" ->
                        redis.text(key)
                                .<LuaValue>map(SettleInterpreter::bytes)
                                .orElse(LuaValue.FALSE);
                case "SET" -> {
                    redis.set(key, chars(arguments.arg(3)), arguments.arg(5).checklong());
                    yield status("OK");
                }
                case "DEL" -> {
                    redis.delete(key);
                    yield LuaValue.ONE;
                }
                case String other -> throw new IllegalArgumentException("no command " + other);
            };
        }

        private static LuaValue status(String text) {
            LuaTable status = new LuaTable();
            status.set("ok", bytes(text));
            return status;
        }
    }

    /** {@code string.format}, with the precision of %.0f, of which LuaJ knows nothing. */
    private static final class Format extends VarArgFunction {
        private final LuaValue others;

        private Format(LuaValue others) {
            this.others = others;
        }

        @Override
        public Varargs invoke(Varargs arguments) {
            if (chars(arguments.arg(1)).equals("%.0f")) {
                return bytes(whole(arguments.arg(2).checkdouble()));
            }
            return others.invoke(arguments);
        }

        /** As C prints it, whose library Redis's Lua stands on. */
        private static String whole(double number) {
            if (Double.isNaN(number)) {
                return "nan";
            }
            if (Double.isInfinite(number)) {
                return number > 0 ? "inf" : "-inf";
            }
            return new BigDecimal(number).setScale(0, RoundingMode.HALF_EVEN).toPlainString();
        }
    }
}
