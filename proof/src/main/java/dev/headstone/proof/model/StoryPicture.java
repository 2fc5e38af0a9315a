package dev.headstone.proof.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A story as a picture: one lane for each who acts, time runs downwards. SVG without anything from
 * elsewhere, for light and dark pages.
 */
public final class StoryPicture {
    private static final Pattern ACTOR =
            Pattern.compile("(click [0-9+]+|takedown|restore|creation|repair [0-9]+|sweep) (.*)");
    private static final String WORLD = "what happens";

    private static final int LANE = 216;
    private static final int BOX = 196;
    private static final int MARGIN = 16;
    private static final int HEAD = 48;
    private static final int LINE = 17;
    private static final int GAP = 12;
    private static final int LETTERS = 26;

    private static final String STYLE =
            """
            <style>
            svg{background:#fff}
            text{font:13px system-ui,sans-serif;fill:#1f2933}
            .head{font-weight:600}
            .lane{stroke:#c3cbd4;stroke-dasharray:3 4}
            .step{fill:#eef3f8;stroke:#9fb3c8}
            .world{fill:#fdf3dc;stroke:#d9a53a}
            .broken{fill:#fbe3e1;stroke:#c0392b}
            .verdict{font-weight:600;fill:#c0392b}
            @media(prefers-color-scheme:dark){
            svg{background:#15191e}
            text{fill:#dde4ec}
            .lane{stroke:#3b4652}
            .step{fill:#222b35;stroke:#4d6175}
            .world{fill:#3a3118;stroke:#a57b21}
            .broken{fill:#42201d;stroke:#d9675b}
            .verdict{fill:#f08a7e}
            }
            </style>
            """;

    private StoryPicture() {}

    /**
     * Draws.
     *
     * @param title what a reader who cannot see it is told
     */
    public static String svg(String title, Story story) {
        List<Step> steps = story.steps().stream().map(StoryPicture::step).toList();
        Map<String, Integer> lanes = new LinkedHashMap<>();
        steps.forEach(step -> lanes.computeIfAbsent(step.actor, _ -> lanes.size()));
        List<String> body = new ArrayList<>();
        int y = HEAD;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            List<String> lines = wrapped(step.text);
            int height = lines.size() * LINE + GAP;
            String kind = i == steps.size() - 1 ? "broken" : step.kind();
            body.add(box(centre(lanes, step.actor), y, height, kind, lines));
            y += height + GAP;
        }
        int width = 2 * MARGIN + lanes.size() * LANE;
        int height = y + HEAD;
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
                        .formatted(width, height));
        svg.append("<title>").append(escaped(title)).append("</title>\n").append(STYLE);
        for (String actor : lanes.keySet()) {
            int x = centre(lanes, actor);
            svg.append(text(x, MARGIN + LINE, "head", actor));
            svg.append(
                    "<line class=\"lane\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
                            .formatted(x, MARGIN + LINE + GAP, x, y));
        }
        body.forEach(svg::append);
        return svg.append(text(width / 2, y + LINE, "verdict", verdict(story)))
                .append("</svg>\n")
                .toString();
    }

    private record Step(String actor, String text) {
        String kind() {
            return actor.equals(WORLD) ? "world" : "step";
        }
    }

    private static Step step(String sentence) {
        Matcher actor = ACTOR.matcher(sentence);
        return actor.matches()
                ? new Step(actor.group(1), actor.group(2))
                : new Step(WORLD, sentence);
    }

    private static String verdict(Story story) {
        return story.broken().stream()
                .map(invariant -> invariant.name().replace('_', ' ').toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static int centre(Map<String, Integer> lanes, String actor) {
        return MARGIN + lanes.getOrDefault(actor, 0) * LANE + LANE / 2;
    }

    private static String box(int x, int y, int height, String kind, List<String> lines) {
        StringBuilder box =
                new StringBuilder(
                        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n"
                                .formatted(kind, x - BOX / 2, y, BOX, height));
        for (int i = 0; i < lines.size(); i++) {
            box.append(text(x, y + (i + 1) * LINE + 2, "", lines.get(i)));
        }
        return box.toString();
    }

    private static String text(int x, int y, String kind, String text) {
        return "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                .formatted(kind, x, y, escaped(text));
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > LETTERS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
