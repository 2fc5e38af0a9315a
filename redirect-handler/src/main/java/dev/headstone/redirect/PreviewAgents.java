package dev.headstone.redirect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Knows the programs that fetch links for previews or crawl, by their {@code User-Agent}: a general
 * rule for those that say so, and a maintained list for the others. Safe for use by several
 * threads.
 */
final class PreviewAgents {
    private static final String LIST = "crawler-user-agents.txt";

    /** "bot" at the end of a word, but for the phones of CUBOT. */
    private static final Pattern GENERAL =
            Pattern.compile("(?<!cu)bots?(?![a-z])|crawl|spider|preview", Pattern.CASE_INSENSITIVE);

    /** Patterns of the list that people's browsers carry too. */
    private static final Set<String> PEOPLE =
            Set.of(
                    "MetaIAB Facebook", // the browser inside Meta's apps
                    "AP3A\\.240617\\.008", // a build of Android 15, on the phones of millions
                    "Viber", // the browser inside Viber; its previews say no more than the name
                    "Datanyze"); // an extension of Chrome that named itself in every request

    private static final List<String> ADDED = List.of("^Viber$");

    private static final int GRAM = 3; // no literal of the list is shorter
    private static final int LONGEST = 1_024;
    private static final int REMEMBERED = 4_096;
    private static final int REMEMBERED_LENGTH = 512;

    private final Map<String, List<String>> literalsByStart = new HashMap<>();
    private final List<Pattern> patterns = new ArrayList<>();
    private final Map<String, Boolean> remembered = new ConcurrentHashMap<>();

    /** Reads the list. */
    PreviewAgents() {
        lines().stream().filter(line -> !PEOPLE.contains(line)).forEach(this::add);
        ADDED.forEach(this::add);
    }

    private static List<String> lines() {
        try (InputStream list = PreviewAgents.class.getResourceAsStream(LIST)) {
            if (list == null) {
                throw new IllegalStateException(LIST + " is missing from the class path");
            }
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8));
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(LIST + " cannot be read", e);
        }
    }

    private void add(String pattern) {
        String literal = pattern.replaceAll("\\\\(\\W)", "$1");
        if (!isLiteral(pattern) || literal.length() < GRAM) {
            patterns.add(Pattern.compile(pattern));
        } else {
            literalsByStart
                    .computeIfAbsent(literal.substring(0, GRAM), _ -> new ArrayList<>())
                    .add(literal);
        }
    }

    /** Whether nothing in {@code pattern} is special once its escaped characters are gone. */
    private static boolean isLiteral(String pattern) {
        String rest = pattern.replaceAll("\\\\\\W", "");
        return rest.chars().noneMatch(c -> "\\[](){}|^$*+?".indexOf(c) >= 0);
    }

    /**
     * Whether {@code userAgent} is a program's that previews or crawls. Of a header that is longer
     * than any agent's the end does not count. Most requests come from a few agents, which are
     * remembered; when they are too many, all are forgotten.
     */
    boolean contain(String userAgent) {
        if (userAgent.isEmpty()) {
            return false;
        }
        if (userAgent.length() > REMEMBERED_LENGTH) {
            return find(userAgent.substring(0, Math.min(userAgent.length(), LONGEST)));
        }
        Boolean known = remembered.get(userAgent);
        return known != null ? known : remember(userAgent, find(userAgent));
    }

    private boolean remember(String userAgent, boolean found) {
        if (remembered.size() >= REMEMBERED) {
            remembered.clear();
        }
        remembered.put(userAgent, found);
        return found;
    }

    private boolean find(String userAgent) {
        return GENERAL.matcher(userAgent).find()
                || containsLiteral(userAgent)
                || patterns.stream().anyMatch(pattern -> pattern.matcher(userAgent).find());
    }

    /** Literals count at the start of a word only: "Sonic" is a crawler's, "Panasonic" is not. */
    private boolean containsLiteral(String text) {
        for (int i = 0; i + GRAM <= text.length(); i++) {
            if (startsWord(text, i) && anyAt(text, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWord(String text, int at) {
        return at == 0
                || !Character.isLetterOrDigit(text.charAt(at - 1))
                || !Character.isLetterOrDigit(text.charAt(at));
    }

    private boolean anyAt(String text, int at) {
        List<String> candidates = literalsByStart.get(text.substring(at, at + GRAM));
        return candidates != null
                && candidates.stream().anyMatch(literal -> text.startsWith(literal, at));
    }
}
