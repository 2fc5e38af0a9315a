package dev.headstone.lambdait;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** What a cold start costs without us. */
public final class EmptyHandler implements RequestStreamHandler {
    /** For the runtime. */
    public EmptyHandler() {}

    @Override
    public void handleRequest(InputStream input, OutputStream output, Context context)
            throws IOException {
        output.write("{}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
