package dev.headstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ClusterMapTest {
    private static final String ASKED = "10.0.0.9:7000";

    @Test
    void knowsThePrimariesAndTheirSlots() {
        ClusterMap map =
                read(
                        """
                        aaa 10.0.0.1:7000@17000 myself,master - 0 0 3 connected 0-1 5 [7->-bbb]
                        bbb 10.0.0.2:7000@17000 master - 0 1700000000000 4 connected 2-4
                        ccc 10.0.0.3:7000@17000 slave aaa 0 1700000000000 3 connected
                        """);

        assertThat(map.primaries())
                .isEqualTo(Map.of("aaa", "10.0.0.1:7000", "bbb", "10.0.0.2:7000"));
        assertThat(map.slots())
                .isEqualTo(Map.of(0, "aaa", 1, "aaa", 5, "aaa", 2, "bbb", 3, "bbb", 4, "bbb"));
        assertThat(map.epoch()).isEqualTo(4);
    }

    @Test
    void takesNoNodeForAPrimaryThatHasFailedOrIsNotKnownYet() {
        ClusterMap map =
                read(
                        """
                        aaa 10.0.0.1:7000@17000 myself,master - 0 0 3 connected 0-1
                        bbb 10.0.0.2:7000@17000 master,fail - 0 1700000000000 4 connected 2-4
                        ccc 10.0.0.3:7000@17000 handshake - 0 0 0 connected
                        ddd 10.0.0.4:7000@17000 master,fail? - 0 1700000000000 2 connected 6
                        """);

        assertThat(map.primaries().keySet()).containsExactlyInAnyOrder("aaa", "ddd");
    }

    @Test
    void reachesANodeThatDoesNotKnowItsAddressWhereItWasReached() {
        assertThat(read("aaa :7000@17000 myself,master - 0 0 0 connected 0-16383\n").primaries())
                .isEqualTo(Map.of("aaa", ASKED));
    }

    @Test
    void readsNothingFromWhatIsNoMap() {
        assertThat(ClusterMap.read("hello", ASKED)).isEmpty();
        assertThat(ClusterMap.read("aaa nonsense", ASKED)).isEmpty();
    }

    private static ClusterMap read(String text) {
        return ClusterMap.read(text, ASKED).orElseThrow();
    }
}
