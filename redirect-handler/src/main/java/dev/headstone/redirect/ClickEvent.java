package dev.headstone.redirect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.headstone.redirect.RedirectAnswer.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a click's event says, of format 2.0 as function URLs and HTTP APIs send it, and its answer.
 * Read and written field by field: the mapping that the runtime offers costs a cold start several
 * hundred classes.
 *
 * @param query without its question mark; empty if there is none
 * @param headers by their names in lower case, as that format has them
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html">Function URL
 *     payloads</a>
 */
record ClickEvent(String method, String path, String query, Map<String, String> headers) {
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * Reads one.
     *
     * @throws IOException if it is no JSON object, or has no path or method
     */
    static ClickEvent read(InputStream event) throws IOException {
        String method = "";
        String path = "";
        String query = "";
        Map<String, String> headers = new HashMap<>();
        try (JsonParser parser = JSON.createParser(event)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("an event that is no JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                JsonToken value = parser.nextToken();
                if (field.equals("rawPath") && value == JsonToken.VALUE_STRING) {
                    path = parser.getText();
                } else if (field.equals("rawQueryString") && value == JsonToken.VALUE_STRING) {
                    query = parser.getText();
                } else if (field.equals("headers") && value == JsonToken.START_OBJECT) {
                    readStrings(parser, headers);
                } else if (field.equals("requestContext") && value == JsonToken.START_OBJECT) {
                    method = methodOf(parser);
                } else {
                    parser.skipChildren();
                }
            }
        }
        if (method.isEmpty() || path.isEmpty()) {
            throw new IOException("an event without rawPath or requestContext.http.method");
        }
        return new ClickEvent(method, path, query, headers);
    }

    private static void readStrings(JsonParser parser, Map<String, String> into)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                into.put(field, parser.getText());
            } else {
                parser.skipChildren();
            }
        }
    }

    private static String methodOf(JsonParser parser) throws IOException {
        String method = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (parser.nextToken() == JsonToken.START_OBJECT && field.equals("http")) {
                Map<String, String> http = new HashMap<>();
                readStrings(parser, http);
                method = http.getOrDefault("method", "");
            } else {
                parser.skipChildren();
            }
        }
        return method;
    }

    Visitor visitor() {
        return new Visitor(
                headers.getOrDefault("user-agent", ""),
                headers.getOrDefault("sec-purpose", ""),
                headers.getOrDefault("purpose", ""),
                headers.getOrDefault("x-moz", ""));
    }

    /** The request target. */
    String target() {
        return query.isEmpty() ? path : path + "?" + query;
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** Writes the answer to it; a HEAD gets no body. */
    void answer(RedirectAnswer answer, OutputStream to) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(to)) {
            json.writeStartObject();
            json.writeNumberField("statusCode", answer.status());
            json.writeObjectFieldStart("headers");
            Map<String, String> named = new LinkedHashMap<>();
            answer.forEachHeader(named::put);
            for (Map.Entry<String, String> header : named.entrySet()) {
                json.writeStringField(header.getKey(), header.getValue());
            }
            json.writeEndObject();
            Body body = answer.body();
            boolean binary = !isHead() && !body.isText(); // the format has no place for bytes
            if (binary) {
                json.writeBinaryField("body", body.bytes());
            } else {
                json.writeStringField("body", isHead() ? "" : body.text());
            }
            json.writeBooleanField("isBase64Encoded", binary);
            json.writeEndObject();
        }
    }
}
