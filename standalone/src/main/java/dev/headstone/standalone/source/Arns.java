package dev.headstone.standalone.source;

/** Reads what an event needs from an ARN: {@code arn:partition:service:region:account:resource}. */
final class Arns {
    private Arns() {}

    /**
     * @throws IllegalArgumentException when the text is no ARN with a region
     */
    static String region(String arn) {
        String[] parts = arn.split(":", 6);
        if (parts.length != 6 || !parts[0].equals("arn") || parts[3].isEmpty()) {
            throw new IllegalArgumentException("'%s' is not an ARN with a region".formatted(arn));
        }
        return parts[3];
    }
}
