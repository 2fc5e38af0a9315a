package dev.headstone.dynamodb.value;

import java.util.Comparator;

/**
 * Orders strings as the service does: by the unsigned bytes of their UTF-8 form, which is by code
 * point.
 */
public enum Utf8Order implements Comparator<String> {
    /** The order. */
    UTF8_ORDER;

    @Override
    public int compare(String left, String right) {
        int shared = Math.min(left.length(), right.length());
        for (int i = 0; i < shared; i++) {
            char l = left.charAt(i);
            char r = right.charAt(i);
            if (l != r) {
                // Surrogates stand for code points above every other char, but lie below U+E000 as
                // chars.
                boolean leftBeyond = Character.isSurrogate(l);
                boolean rightBeyond = Character.isSurrogate(r);
                return leftBeyond == rightBeyond
                        ? Character.compare(l, r)
                        : Boolean.compare(leftBeyond, rightBeyond);
            }
        }
        return Integer.compare(left.length(), right.length());
    }
}
