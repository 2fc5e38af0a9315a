package dev.headstone.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.headstone.standalone.LauncherSandbox.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
final class LauncherTest {
    @TempDir private Path root;
    private LauncherSandbox sandbox;

    @BeforeEach
    void checkOut() throws IOException {
        sandbox = new LauncherSandbox(root);
    }

    @Test
    void takesTheJdkThatJavaHomeNames() throws Exception {
        sandbox.maven("3.8.7").jdk("usr/lib/jvm/debian-25", "25.0.3");
        sandbox.with("JAVA_HOME", sandbox.jdk("named", "26").toString());

        assertThat(sandbox.launch("serve").out()).startsWith("java of named\n");
    }

    @Test
    void takesTheJavaOnThePathWhenJavaHomeIsTooOld() throws Exception {
        sandbox.maven("3.8.7").jdk("usr/lib/jvm/debian-25", "25.0.3");
        sandbox.with("JAVA_HOME", sandbox.jdk("old", "17.0.15").toString());
        Path jdk = sandbox.jdk("opt/on path", "25.0.3");
        Files.createSymbolicLink(sandbox.tool("java"), jdk.resolve("bin/java"));

        assertThat(sandbox.launch("serve").out()).startsWith("java of on path\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "usr/lib/jvm/temurin-25",
                "Library/Java/JavaVirtualMachines/25/Contents/Home",
                "user/.sdkman/candidates/java/25.0.3-tem"
            })
    void findsAJdkWhereDebianMacOsAndSdkmanKeepThem(String place) throws Exception {
        sandbox.maven("3.8.7").jdk("usr/lib/jvm/old", "21.0.1");
        sandbox.jdk(place, "25.0.3");

        assertThat(sandbox.launch("serve").out())
                .startsWith("java of " + Path.of(place).getFileName() + "\n");
    }

    @Test
    void saysHowToGetAJdkWhenThereIsNone() throws Exception {
        sandbox.maven("3.8.7").jdk("usr/lib/jvm/old", "24.0.2");

        Launch launch = sandbox.launch("serve");

        assertThat(launch.status()).isEqualTo(1);
        assertThat(launch.err())
                .hasLineCount(1)
                .contains("JDK 25 or newer", "adoptium", "JAVA_HOME");
        assertThat(launch.out()).isEmpty();
    }

    @Test
    void aJavaWithoutCompilerRunsWhatIsBuiltButDoesNotBuild() throws Exception {
        sandbox.maven("3.8.7");
        Path jdk = sandbox.jdk("usr/lib/jvm/temurin-25", "25.0.3");
        Files.delete(jdk.resolve("bin/javac"));
        assertThat(sandbox.launch("serve").status()).isEqualTo(1);

        Files.writeString(jdk.resolve("bin/javac"), "");
        jdk.resolve("bin/javac").toFile().setExecutable(true);
        assertThat(sandbox.launch("serve").status()).isZero();
        Files.delete(jdk.resolve("bin/javac"));

        assertThat(sandbox.launch("serve").status()).isZero();
    }

    @Test
    void saysHowToGetMavenWhenThereIsNone() throws Exception {
        sandbox.jdk("usr/lib/jvm/temurin-25", "25.0.3");

        Launch launch = sandbox.launch("serve");

        assertThat(launch.status()).isEqualTo(1);
        assertThat(launch.err()).hasLineCount(1).contains("Maven 3.8.7 or newer", "found none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.8.6", "3.6.3", "2.10.11"})
    void refusesAnOlderMaven(String version) throws Exception {
        sandbox.maven(version).jdk("usr/lib/jvm/temurin-25", "25.0.3");

        Launch launch = sandbox.launch("serve");

        assertThat(launch.status()).isEqualTo(1);
        assertThat(launch.err()).contains("found " + version);
        assertThat(sandbox.builds()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.8.7", "3.8.10", "3.9", "3.10.1", "4.0.0"})
    void takesThatMavenOrANewerOne(String version) throws Exception {
        sandbox.maven(version).jdk("usr/lib/jvm/temurin-25", "25.0.3");

        assertThat(sandbox.launch("serve").status()).isZero();
    }

    @Test
    void buildsOnceWithOneLineAndThenSaysNothing() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");

        assertThat(sandbox.launch("serve").err())
                .hasLineCount(2)
                .startsWith("headstone: building")
                .contains("headstone: preparing a fast start");
        assertThat(sandbox.launch("serve").err()).isEmpty();
        assertThat(sandbox.builds()).hasSize(1);
    }

    @Test
    void handsArgumentsOnAsTheyAreAndRunsWhereItWasCalled() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");

        Launch launch = sandbox.launch("takedown", "x", "--reason", "it's \"bad\" $HOME *", "");

        assertThat(launch.out()).contains("in " + root.toRealPath() + "\n");
        assertThat(launch.arguments())
                .endsWith("takedown", "x", "--reason", "it's \"bad\" $HOME *", "")
                .contains("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
                .anyMatch(argument -> argument.endsWith("/headstone.jar"))
                .anyMatch(argument -> argument.startsWith("-XX:AOTCache=" + sandbox.home()));
    }

    @Test
    void runsThroughSymbolicLinksFromAnywhere() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        Path elsewhere = Files.createDirectories(root.resolve("else where"));
        Files.createSymbolicLink(elsewhere.resolve("one"), sandbox.home().resolve("headstone"));
        Files.createSymbolicLink(elsewhere.resolve("two"), Path.of("../else where/one"));

        Launch launch =
                sandbox.finished(sandbox.start(elsewhere.resolve("two"), elsewhere, "status"));

        assertThat(launch.status()).isZero();
        assertThat(launch.out()).contains("in " + elsewhere.toRealPath() + "\n");
    }

    @Test
    void buildsAgainWhenASourceChangedWasAddedOrRemovedOrAPomChanged() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        sandbox.launch("serve");

        LauncherSandbox.edit(sandbox.source());
        sandbox.launch("serve");
        assertThat(sandbox.builds()).hasSize(2);

        Files.delete(sandbox.source());
        sandbox.launch("serve");
        assertThat(sandbox.builds()).hasSize(3);

        LauncherSandbox.edit(sandbox.home().resolve("standalone/pom.xml"));
        sandbox.launch("serve");
        assertThat(sandbox.builds()).hasSize(4);
    }

    @Test
    void showsTheEndOfTheLogWhenTheBuildFailsAndTriesAgainNextTime() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        Files.createFile(sandbox.tool("mvn.fails"));

        Launch launch = sandbox.launch("serve");

        assertThat(launch.status()).isEqualTo(1);
        assertThat(launch.out()).isEmpty();
        assertThat(launch.err()).contains("COMPILATION ERROR", "build.log");
        Files.delete(sandbox.tool("mvn.fails"));
        assertThat(sandbox.launch("serve").status()).isZero();
    }

    @Test
    void twoLaunchesAtOnceBuildOnce() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        Files.createFile(sandbox.tool("mvn.slow"));
        Path launcher = sandbox.home().resolve("headstone");

        Process one = sandbox.start(launcher, root, "serve");
        Process two = sandbox.start(launcher, root, "status");

        assertThat(sandbox.finished(one).arguments()).endsWith("serve");
        assertThat(sandbox.finished(two).arguments()).endsWith("status");
        assertThat(sandbox.builds()).hasSize(1);
    }

    @Test
    void aLockWhoseOwnerIsGoneHoldsNobodyUp() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Path target = Files.createDirectories(sandbox.home().resolve("standalone/target"));
        Files.createSymbolicLink(target.resolve("build.lock"), Path.of(Long.toString(gone.pid())));

        assertThat(sandbox.launch("serve").status()).isZero();
        assertThat(target.resolve("build.lock")).doesNotExist();
    }

    @Test
    void aBuildThatAProcessStillUsesStaysAndOthersGo() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        sandbox.launch("serve");
        String used = sandbox.runs().getFirst();
        Files.createFile(
                sandbox.home()
                        .resolve("standalone/target/run")
                        .resolve(used)
                        .resolve("users/" + ProcessHandle.current().pid()));
        for (int build = 0; build < 3; build++) {
            LauncherSandbox.edit(sandbox.source());
            LauncherSandbox.edit(sandbox.source());
            sandbox.launch("serve");
        }

        assertThat(sandbox.runs()).contains(used).hasSize(3);
    }

    @Test
    void runsWithoutTheFastStartWhereItCannotBeMade() throws Exception {
        sandbox.maven("3.9.9");
        Path jdk = sandbox.jdk("usr/lib/jvm/temurin-25", "25.0.3");
        Files.createFile(jdk.resolve("bin/java.no-aot"));

        Launch launch = sandbox.launch("serve");

        assertThat(launch.status()).isZero();
        assertThat(launch.err()).contains("no fast start");
        assertThat(launch.arguments()).noneMatch(argument -> argument.contains("AOT"));
        assertThat(sandbox.launch("serve").err()).isEmpty();
    }

    @Test
    void testBuildsAndTestsEverything() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        executable(sandbox.tool("node"));
        executable(sandbox.tool("chromium"));
        executable(sandbox.tool("chromedriver"));

        assertThat(sandbox.launch("test").status()).isZero();
        assertThat(sandbox.builds())
                .singleElement(STRING)
                .contains(
                        " verify",
                        "-Dchromium=" + sandbox.tool("chromium"),
                        "-Dchromedriver=" + sandbox.tool("chromedriver"))
                .doesNotContain("-pl", "skip");
    }

    @Test
    void testLeavesOutTheBrowserWhereThereIsNoneAndSaysSo() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        executable(sandbox.tool("node"));
        executable(sandbox.tool("chromium"));

        Launch launch = sandbox.launch("test");

        assertThat(launch.status()).isZero();
        assertThat(launch.err())
                .contains("the tests of the page in a browser are left out")
                .contains("apt-get install chromium chromium-driver");
        assertThat(sandbox.builds()).singleElement(STRING).endsWith(" -Dbrowser.skip=true");
    }

    @Test
    void testLeavesOutTheTemplatesWhereThereIsNoNodeAndSaysSo() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");

        Launch launch = sandbox.launch("test");

        assertThat(launch.status()).isZero();
        assertThat(launch.err()).contains("the AWS templates are left out").contains("nodejs.org");
        assertThat(sandbox.builds()).singleElement(STRING).contains(" -pl !infra");
    }

    @Test
    void synthNeedsNode() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");

        Launch launch = sandbox.launch("synth", "--out", "x");

        assertThat(launch.status()).isEqualTo(1);
        assertThat(launch.err()).contains("no templates").contains("nodejs.org");
        assertThat(sandbox.builds()).isEmpty();
    }

    @Test
    void synthSaysWhatItTakesBeforeItBuildsAnything() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        executable(sandbox.tool("node"));

        for (String[] wrong : new String[][] {{"synth"}, {"synth", "--into", "x"}}) {
            Launch launch = sandbox.launch(wrong);
            assertThat(launch.status()).isEqualTo(2);
            assertThat(launch.err()).contains("usage: headstone synth --out DIR");
        }
        assertThat(sandbox.builds()).isEmpty();
    }

    private static void executable(Path file) throws IOException {
        Files.writeString(file, "#!/bin/sh\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void testEndsWithTheFirstFailure() throws Exception {
        sandbox.maven("3.9.9").jdk("usr/lib/jvm/temurin-25", "25.0.3");
        Files.createFile(sandbox.tool("mvn.fails"));

        assertThat(sandbox.launch("test").status()).isEqualTo(1);
        assertThat(sandbox.builds()).hasSize(1);
    }
}
