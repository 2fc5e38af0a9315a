package dev.headstone.lambdait;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.link.ShortCode;
import dev.headstone.table.DynamoLinkTable;
import dev.headstone.table.Links;
import dev.headstone.table.TableNames;
import dev.headstone.table.TableRead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code headstone --aws takedown} in a process of its own, with a profile that signs on singly,
 * over the real function.
 */
@Tag("slow")
final class OperatorTest {
    @TempDir private static Path folder;
    private static Deployment deployment;
    private static FakeAws aws;

    @BeforeAll
    static void deploy() throws IOException {
        deployment = new Deployment(folder);
        aws = new FakeAws(deployment.function(Function.INVALIDATION));
    }

    @AfterAll
    static void remove() {
        aws.close();
        deployment.close();
    }

    private record Run(int status, String output) {}

    @Test
    void takesALinkDownInTheNameThatStsKnowsAndOnlyOnceItIsConfirmed() throws Exception {
        table().create(Links.plain(new ShortCode("spam")), Optional.empty());

        deployment.services().redis().freeze();
        Run frozen = takeDown(signedOn(), "spam");
        deployment.services().redis().thaw();
        Run confirmed = takeDown(signedOn(), "spam");

        assertThat(frozen.status()).as(frozen.output()).isEqualTo(3);
        assertThat(frozen.output()).contains("not_confirmed");
        assertThat(confirmed.status()).as(confirmed.output()).isZero();
        assertThat(confirmed.output()).contains("\"outcome\":\"confirmed\"", "\"version\":2");
        assertThat(table().read(new ShortCode("spam")))
                .isInstanceOfSatisfying(
                        TableRead.Found.class,
                        found -> {
                            assertThat(found.link().isDead()).isTrue();
                            assertThat(found.link().lastChange().by()).isEqualTo(FakeAws.ARN);
                        });
    }

    @Test
    void withoutCredentialsNothingIsTouched() throws Exception {
        table().create(Links.plain(new ShortCode("safe")), Optional.empty());

        Run run =
                takeDown(Map.of("AWS_ACCESS_KEY_ID", "AKIA", "AWS_SECRET_ACCESS_KEY", "x"), "safe");

        assertThat(run.status()).as(run.output()).isEqualTo(1);
        assertThat(run.output()).contains("\"outcome\":\"failed\"");
        assertThat(table().read(new ShortCode("safe")))
                .isInstanceOfSatisfying(
                        TableRead.Found.class,
                        found -> assertThat(found.link().isDead()).isFalse());
    }

    private static DynamoLinkTable table() {
        return new DynamoLinkTable(deployment.services().dynamo(), TableNames.DEFAULT);
    }

    /** As {@code aws sso login} leaves it: a profile, and a token in its cache. */
    private static Map<String, String> signedOn() throws Exception {
        Path home = deployment.newFolder();
        Path cache = Files.createDirectories(home.resolve(".aws/sso/cache"));
        Files.writeString(
                home.resolve(".aws/config"),
                """
                [profile operator]
                sso_session = corp
                sso_account_id = 123456789012
                sso_role_name = operator
                region = us-east-1

                [sso-session corp]
                sso_region = us-east-1
                sso_start_url = https://corp.awsapps.com/start
                sso_registration_scopes = sso:account:access
                """);
        String name =
                HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance("SHA-1").digest("corp".getBytes(UTF_8)));
        Files.writeString(
                cache.resolve(name + ".json"),
                """
                {"startUrl": "https://corp.awsapps.com/start", "region": "us-east-1",
                 "accessToken": "%s", "expiresAt": "2099-01-01T00:00:00Z"}"""
                        .formatted(FakeAws.TOKEN));
        return Map.of("HOME", home.toString(), "AWS_PROFILE", "operator");
    }

    private static Run takeDown(Map<String, String> identity, String code)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("dev.headstone.standalone.Main", "--aws", "takedown", code));
        command.addAll(List.of("--reason", "phishing", "--json"));
        Path output = deployment.newFolder().resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        Map<String, String> variables = builder.environment();
        variables.clear();
        variables.put("AWS_REGION", "us-east-1");
        variables.put("AWS_ENDPOINT_URL_STS", aws.endpoint());
        variables.put("AWS_ENDPOINT_URL_SSO", aws.endpoint());
        variables.put("AWS_ENDPOINT_URL_LAMBDA", aws.endpoint());
        variables.put(
                "AWS_ENDPOINT_URL_DYNAMODB",
                deployment.services().environment().get("AWS_ENDPOINT_URL_DYNAMODB"));
        variables.putAll(identity);
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("late: " + Files.readString(output));
        }
        return new Run(process.exitValue(), Files.readString(output));
    }
}
