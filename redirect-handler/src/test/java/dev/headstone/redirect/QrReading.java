package dev.headstone.redirect;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.ReaderException;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.common.GlobalHistogramBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/** Reads QR codes as a camera's program does. */
final class QrReading {
    private static final Pattern BOX = Pattern.compile("viewBox=\"0 0 (\\d+) (\\d+)\"");
    private static final Pattern RUN = Pattern.compile("M(\\d+) (\\d+)h(\\d+)v1h-(\\d+)z");
    private static final int SCALE = 4;

    private QrReading() {}

    static String ofPng(byte[] png) throws IOException, ReaderException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        int[] pixels =
                image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        return read(pixels, image.getWidth(), image.getHeight());
    }

    static String ofSvg(String svg) throws ReaderException {
        Matcher box = BOX.matcher(svg);
        if (!box.find()) {
            throw new IllegalArgumentException("no viewBox");
        }
        int side = Integer.parseInt(box.group(1));
        BitMatrix modules = new BitMatrix(side * SCALE);
        Matcher run = RUN.matcher(svg);
        while (run.find()) {
            modules.setRegion(
                    Integer.parseInt(run.group(1)) * SCALE,
                    Integer.parseInt(run.group(2)) * SCALE,
                    Integer.parseInt(run.group(3)) * SCALE,
                    SCALE);
        }
        int[] pixels = new int[side * SCALE * side * SCALE];
        for (int i = 0; i < pixels.length; i++) {
            boolean dark = modules.get(i % (side * SCALE), i / (side * SCALE));
            pixels[i] = dark ? 0 : 0xFFFFFF;
        }
        return read(pixels, side * SCALE, side * SCALE);
    }

    private static String read(int[] pixels, int width, int height) throws ReaderException {
        RGBLuminanceSource source = new RGBLuminanceSource(width, height, pixels);
        return new QRCodeReader()
                .decode(new BinaryBitmap(new GlobalHistogramBinarizer(source)))
                .getText();
    }
}
