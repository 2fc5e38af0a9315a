package dev.headstone.writer;

import java.util.Optional;

/**
 * Why a link is taken down or restored, for whoever reads the audit log: 1 to 500 characters (code
 * points), something to see among them, no control character, line separator or unpaired surrogate.
 */
public record Reason(String text) {
    /** Most characters of a reason, in code points. */
    public static final int LONGEST = 500;

    /**
     * @throws IllegalArgumentException if it breaks a rule, saying which
     */
    public Reason {
        fault(text)
                .ifPresent(
                        why -> {
                            throw new IllegalArgumentException(why);
                        });
    }

    static Reason from(JsonFields fields, String field) throws Refusal {
        String text = fields.text(field).orElse("");
        Optional<String> fault = fault(text);
        if (fault.isPresent()) {
            throw new Refusal(field, fault.get());
        }
        return new Reason(text);
    }

    private static Optional<String> fault(String text) {
        if (text.codePoints().noneMatch(Reason::isSeen)) {
            return Optional.of("A reason must be given, and may not be blank.");
        }
        if (text.codePointCount(0, text.length()) > LONGEST) {
            return Optional.of("A reason must have at most 500 characters.");
        }
        if (text.codePoints().anyMatch(Reason::isForbidden)) {
            return Optional.of(
                    "A reason must be one line of text, without control characters or unpaired"
                            + " surrogates.");
        }
        return Optional.empty();
    }

    private static boolean isSeen(int character) {
        return switch (Character.getType(character)) {
            case Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }

    private static boolean isForbidden(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    true;
            default -> false;
        };
    }
}
