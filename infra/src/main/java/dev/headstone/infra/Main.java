package dev.headstone.infra;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awscdk.App;

/**
 * Writes the CloudFormation templates, offline: {@code --out DIR}, and what {@link Settings} has.
 */
public final class Main {
    private static final String USAGE =
            "usage: headstone synth --out DIR [--domain NAME --certificate ARN] [--firewall ARN]";
    private static final Set<String> OPTIONS =
            Set.of("--out", "--domain", "--certificate", "--firewall");

    private Main() {}

    /**
     * For the launcher, which gives the project's folder first. Ends with 0, 1 when it failed, 2
     * for misuse.
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        try {
            Path root = Path.of(arguments[0]);
            Map<String, String> options = options(arguments);
            Path target = Path.of(require(options, "--out")).toAbsolutePath().normalize();
            synthesize(settings(options, new BuiltJars(root)), target);
            out.println("Templates are in " + target);
            return 0;
        } catch (IllegalArgumentException misuse) {
            err.println("headstone: " + misuse.getMessage());
            return 2;
        } catch (IllegalStateException failure) {
            err.println("headstone: " + failure.getMessage());
            return 1;
        }
    }

    static void synthesize(Settings settings, Path target) {
        App app = App.Builder.create().outdir(target.toString()).analyticsReporting(false).build();
        Headstone.in(app, settings);
        app.synth();
    }

    static Settings settings(Map<String, String> options, Artifacts artifacts) {
        if (options.containsKey("--domain") != options.containsKey("--certificate")) {
            throw new IllegalArgumentException(
                    "--domain and --certificate go together; the certificate is one of us-east-1");
        }
        return new Settings(
                Optional.ofNullable(options.get("--domain"))
                        .map(name -> new Settings.Domain(name, require(options, "--certificate"))),
                Optional.ofNullable(options.get("--firewall")),
                artifacts);
    }

    private static Map<String, String> options(String[] arguments) {
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < arguments.length; i += 2) {
            if (!OPTIONS.contains(arguments[i])) {
                throw new IllegalArgumentException(
                        "unknown option '%s'; %s".formatted(arguments[i], USAGE));
            }
            if (i + 1 == arguments.length || arguments[i + 1].isEmpty()) {
                throw new IllegalArgumentException(arguments[i] + " wants a value; " + USAGE);
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        return options;
    }

    private static String require(Map<String, String> options, String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing; " + USAGE);
        }
        return value;
    }
}
