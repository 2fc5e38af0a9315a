package dev.headstone.standalone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

/** The shape of the whole, over all modules. */
@AnalyzeClasses(packages = "dev.headstone", importOptions = DoNotIncludeTests.class)
@ArchTag("slow")
final class ArchitectureTest {
    @ArchTest
    static final ArchRule theDomainKnowsNoVendor =
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.headstone.link..", "dev.headstone.freshness..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "software.amazon..",
                            "com.amazonaws..",
                            "io.lettuce..",
                            "io.netty..",
                            "com.fasterxml..",
                            "io.micrometer..")
                    .because("the rules are read and model-checked without a vendor in sight");

    @ArchTest
    static final ArchRule verbsNeverCallEachOther =
            slices().matching("dev.headstone.(redirect|writer|stream|auditlog)..")
                    .should()
                    .notDependOnEachOther()
                    .because("they meet in shared, wherever each of them runs");

    @ArchTest
    static final ArchRule theEmbeddedTableKnowsNobody =
            noClasses()
                    .that()
                    .resideInAPackage("dev.headstone.dynamodb..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.headstone.link..",
                            "dev.headstone.cache..",
                            "dev.headstone.table..",
                            "dev.headstone.audit..",
                            "software.amazon..")
                    .because("it speaks the service's protocol and knows nothing of its users");

    @ArchTest
    static final ArchRule vendorsStopAtAdaptersAndHandlers =
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.headstone.redirect..", "dev.headstone.writer..")
                    .and()
                    .resideOutsideOfPackage("dev.headstone.writer.aws..") // the operator's client
                    .and()
                    .doNotHaveSimpleName("Wiring") // hands clients to adapters
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("software.amazon..", "io.lettuce..", "io.netty..")
                    .because("services speak of codes, stamps and outcomes");

    @ArchTest
    static final ArchRule nobodyAsksTheClockByHimself =
            noClasses()
                    .should()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .because("time is an argument");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.headstone.(**)").should().beFreeOfCycles();
}
