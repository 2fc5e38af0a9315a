package dev.headstone.redirect;

import com.google.zxing.WriterException;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** A text as a QR code: black on white whatever the theme, since readers want it so. */
final class QrCode {
    /** An image that is opened by itself is a document too, and loads nothing. */
    static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy",
                    "default-src 'none'; frame-ancestors 'none'",
                    "X-Robots-Tag",
                    "noindex");

    /** Clear modules on each side: ISO/IEC 18004 asks for four. */
    private static final int MARGIN = 4;

    /** Pixels of a module: a usual code of 29 modules then has 296, enough for a screen. */
    private static final int PIXELS = 8;

    private static final int BLACK = 0xFF000000;
    private static final int WHITE = 0xFFFFFFFF;

    private final ByteMatrix modules;

    private QrCode(ByteMatrix modules) {
        this.modules = modules;
    }

    /**
     * The code of {@code text}, which still reads with an eighth of it damaged.
     *
     * @throws IllegalArgumentException if the text is longer than a QR code holds, 2,331 bytes
     */
    static QrCode of(String text) {
        try {
            return new QrCode(Encoder.encode(text, ErrorCorrectionLevel.M).getMatrix());
        } catch (WriterException e) {
            throw new IllegalArgumentException("too long for a QR code", e);
        }
    }

    private int side() {
        return modules.getWidth() + 2 * MARGIN;
    }

    private boolean isDark(int x, int y) {
        return modules.get(x, y) == 1;
    }

    /** One path, a rectangle for each run of dark modules in a row. */
    byte[] svg() {
        StringBuilder svg = new StringBuilder(4_096);
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
                .append(side())
                .append(' ')
                .append(side())
                .append("\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h")
                .append(side())
                .append('v')
                .append(side())
                .append("H0z\"/><path d=\"");
        for (int y = 0; y < modules.getHeight(); y++) {
            appendRuns(svg, y);
        }
        return svg.append("\"/></svg>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private void appendRuns(StringBuilder svg, int y) {
        int x = 0;
        while (x < modules.getWidth()) {
            int end = x;
            while (end < modules.getWidth() && isDark(end, y)) {
                end++;
            }
            if (end > x) {
                int length = end - x;
                svg.append('M')
                        .append(x + MARGIN)
                        .append(' ')
                        .append(y + MARGIN)
                        .append('h')
                        .append(length)
                        .append("v1h-")
                        .append(length)
                        .append('z');
            }
            x = end + 1;
        }
    }

    /** One bit for each pixel. */
    byte[] png() {
        int side = side() * PIXELS;
        BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_BYTE_BINARY);
        for (int y = 0; y < side; y++) {
            for (int x = 0; x < side; x++) {
                image.setRGB(x, y, colourAt(x / PIXELS - MARGIN, y / PIXELS - MARGIN));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // In memory: by default ImageIO goes through a temporary file.
        try (MemoryCacheImageOutputStream output = new MemoryCacheImageOutputStream(bytes)) {
            if (!ImageIO.write(image, "png", output)) {
                throw new IllegalStateException("every JDK writes PNG");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written", e);
        }
        return bytes.toByteArray();
    }

    private int colourAt(int x, int y) {
        boolean inside = x >= 0 && y >= 0 && x < modules.getWidth() && y < modules.getHeight();
        return inside && isDark(x, y) ? BLACK : WHITE;
    }
}
