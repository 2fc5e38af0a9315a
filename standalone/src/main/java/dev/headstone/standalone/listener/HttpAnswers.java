package dev.headstone.standalone.listener;

import static io.netty.handler.codec.http.HttpVersion.HTTP_1_1;

import dev.headstone.redirect.RedirectAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

/** Answers as HTTP/1.1 responses. */
final class HttpAnswers {
    private HttpAnswers() {}

    /** The response of {@code answer}: a HEAD gets the length of the body, and no body. */
    static FullHttpResponse response(RedirectAnswer answer, boolean head, String date) {
        byte[] body = answer.body().bytes();
        ByteBuf content =
                head || body.length == 0 ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), content);
        HttpHeaders headers = response.headers();
        answer.forEachHeader(headers::add);
        headers.set("Date", date);
        headers.set("Content-Length", body.length);
        return response;
    }

    /** Says what becomes of the connection, where the client would assume something else. */
    static void setConnection(FullHttpResponse response, boolean oldVersion, boolean last) {
        if (last) {
            response.headers().set("Connection", HttpHeaderValues.CLOSE);
        } else if (oldVersion) {
            response.headers().set("Connection", HttpHeaderValues.KEEP_ALIVE);
        }
    }
}
