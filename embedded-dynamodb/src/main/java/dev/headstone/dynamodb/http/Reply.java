package dev.headstone.dynamodb.http;

/** A status and a body. */
final class Reply {
    private final int status;
    private final byte[] body;

    Reply(int status, byte[] body) {
        this.status = status;
        this.body = body;
    }

    int status() {
        return status;
    }

    byte[] body() {
        return body;
    }
}
