package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.ValidationException;
import java.util.ArrayList;
import java.util.List;

/**
 * The tokens of one expression, taken from the front. Ends with a token of kind END, which is never
 * passed.
 */
final class Tokens {
    private final ExpressionKind kind;
    private final String source;
    private final List<Token> tokens;
    private int position;

    Tokens(ExpressionKind kind, String source) {
        this.kind = kind;
        this.source = source;
        this.tokens = split(source);
    }

    ExpressionKind kind() {
        return kind;
    }

    Token peek() {
        return tokens.get(position);
    }

    boolean at(Token.Kind expected) {
        return peek().kind() == expected;
    }

    boolean at(String keyword) {
        return peek().is(keyword);
    }

    /** Whether the token behind the next one is of that kind. */
    boolean followedBy(Token.Kind expected) {
        return position + 1 < tokens.size() && tokens.get(position + 1).kind() == expected;
    }

    Token take() {
        Token token = peek();
        if (token.kind() != Token.Kind.END) {
            position++;
        }
        return token;
    }

    boolean takeIf(Token.Kind expected) {
        boolean found = at(expected);
        if (found) {
            position++;
        }
        return found;
    }

    boolean takeIf(String keyword) {
        boolean found = at(keyword);
        if (found) {
            position++;
        }
        return found;
    }

    Token expect(Token.Kind expected) {
        if (!at(expected)) {
            throw syntaxError();
        }
        return take();
    }

    void expect(String keyword) {
        if (!takeIf(keyword)) {
            throw syntaxError();
        }
    }

    /** The error of the next token being out of place: it is shown with its neighbours. */
    ValidationException syntaxError() {
        Token token = peek();
        int from = position == 0 ? token.start() : tokens.get(position - 1).start();
        int to = position + 1 < tokens.size() ? tokens.get(position + 1).end() : token.end();
        return kind.invalid(
                "Syntax error; token: \"%s\", near: \"%s\""
                        .formatted(
                                token.kind() == Token.Kind.END ? "<EOF>" : token.text(),
                                source.substring(from, to).strip()));
    }

    private static List<Token> split(String source) {
        List<Token> tokens = new ArrayList<>();
        int position = 0;
        while (position < source.length()) {
            char first = source.charAt(position);
            if (isBlank(first)) {
                position++;
            } else {
                Token token = next(source, position, first);
                tokens.add(token);
                position = token.end();
            }
        }
        tokens.add(new Token(Token.Kind.END, "", source.length(), source.length()));
        return tokens;
    }

    private static Token next(String source, int start, char first) {
        if (isLetter(first)) {
            return token(Token.Kind.WORD, source, start, endOfWord(source, start));
        }
        if (isDigit(first)) {
            return token(Token.Kind.NUMBER, source, start, endOfDigits(source, start));
        }
        return switch (first) {
            case '#' -> reference(Token.Kind.NAME, source, start);
            case ':' -> reference(Token.Kind.VALUE, source, start);
            case '<' ->
                    token(
                            Token.Kind.COMPARATOR,
                            source,
                            start,
                            afterOneOf(source, start + 1, "=>"));
            case '>' ->
                    token(Token.Kind.COMPARATOR, source, start, afterOneOf(source, start + 1, "="));
            case '=' -> token(Token.Kind.COMPARATOR, source, start, start + 1);
            case '(' -> token(Token.Kind.OPEN, source, start, start + 1);
            case ')' -> token(Token.Kind.CLOSE, source, start, start + 1);
            case '[' -> token(Token.Kind.OPEN_INDEX, source, start, start + 1);
            case ']' -> token(Token.Kind.CLOSE_INDEX, source, start, start + 1);
            case '.' -> token(Token.Kind.DOT, source, start, start + 1);
            case ',' -> token(Token.Kind.COMMA, source, start, start + 1);
            case '+' -> token(Token.Kind.PLUS, source, start, start + 1);
            case '-' -> token(Token.Kind.MINUS, source, start, start + 1);
            default -> stray(source, start);
        };
    }

    private static Token token(Token.Kind kind, String source, int start, int end) {
        return new Token(kind, source.substring(start, end), start, end);
    }

    private static Token reference(Token.Kind kind, String source, int start) {
        int end = endOfWord(source, start + 1);
        return end == start + 1 ? stray(source, start) : token(kind, source, start, end);
    }

    private static Token stray(String source, int start) {
        return token(Token.Kind.STRAY, source, start, source.offsetByCodePoints(start, 1));
    }

    private static int afterOneOf(String source, int position, String wanted) {
        boolean found = position < source.length() && wanted.indexOf(source.charAt(position)) >= 0;
        return found ? position + 1 : position;
    }

    private static int endOfWord(String source, int start) {
        int end = start;
        while (end < source.length() && isWordPart(source.charAt(end))) {
            end++;
        }
        return end;
    }

    private static int endOfDigits(String source, int start) {
        int end = start;
        while (end < source.length() && isDigit(source.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWordPart(char c) {
        return isLetter(c) || isDigit(c) || c == '_';
    }
}
