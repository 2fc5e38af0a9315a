package dev.headstone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class NetworkStackTest {
    private final Templates templates = Templates.usual();

    @Test
    void nothingInTheNetworkHasAWayToTheInternet() {
        for (String way :
                List.of(
                        "AWS::EC2::NatGateway",
                        "AWS::EC2::InternetGateway",
                        "AWS::EC2::EgressOnlyInternetGateway",
                        "AWS::EC2::EIP",
                        "AWS::EC2::Route")) {
            assertThat(templates.resources(way)).as(way).isEmpty();
        }
        assertThat(templates.resources("AWS::EC2::Subnet").values())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(
                        subnet ->
                                assertThat(subnet.at("/Properties/MapPublicIpOnLaunch").asBoolean())
                                        .isFalse());
    }

    @Test
    void theTableAndTheBucketsAreReachedThroughGateways() {
        assertThat(endpoints("Gateway")).hasSize(2).anyMatch(name -> name.contains("dynamodb"));
        assertThat(endpoints("Gateway")).anyMatch(name -> name.contains("s3"));
    }

    @Test
    void allOtherServicesThatFunctionsUseAreReachedThroughInterfaces() {
        assertThat(endpoints("Interface"))
                .hasSize(6)
                .anyMatch(name -> name.contains(".sqs"))
                .anyMatch(name -> name.contains(".ssm"))
                .anyMatch(name -> name.contains(".secretsmanager"))
                .anyMatch(name -> name.contains(".logs"))
                .anyMatch(name -> name.contains(".lambda"))
                .anyMatch(name -> name.contains(".xray"));
        assertThat(templates.resources("AWS::EC2::VPCEndpoint").values())
                .filteredOn(endpoint -> type(endpoint).equals("Interface"))
                .allSatisfy(
                        endpoint -> {
                            assertThat(endpoint.at("/Properties/PrivateDnsEnabled").asBoolean())
                                    .isTrue();
                            assertThat(endpoint.at("/Properties/SecurityGroupIds").toString())
                                    .contains("EndpointsGroup");
                        });
    }

    private List<String> endpoints(String type) {
        return templates.resources("AWS::EC2::VPCEndpoint").values().stream()
                .filter(endpoint -> type(endpoint).equals(type))
                .map(endpoint -> endpoint.at("/Properties/ServiceName").toString())
                .toList();
    }

    private static String type(JsonNode endpoint) {
        return endpoint.at("/Properties/VpcEndpointType").asText();
    }

    @Test
    void onlyFunctionsReachTheCacheAndOnlyAtItsPort() {
        List<JsonNode> ways =
                templates.resources("AWS::EC2::SecurityGroupIngress").values().stream()
                        .map(rule -> rule.path("Properties"))
                        .filter(rule -> rule.path("GroupId").toString().contains("CacheGroup"))
                        .toList();

        assertThat(ways).hasSize(1);
        assertThat(ways.getFirst().path("SourceSecurityGroupId").toString())
                .contains("FunctionsGroup");
        assertThat(ways.getFirst().path("FromPort").asInt()).isEqualTo(6379);
        assertThat(ways.getFirst().path("ToPort").asInt()).isEqualTo(6379);
    }

    @Test
    void whatGoesThroughTheNetworkIsLogged() {
        assertThat(templates.only("AWS::EC2::FlowLog").path("TrafficType").asText())
                .isEqualTo("ALL");
    }
}
