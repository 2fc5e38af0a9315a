package dev.headstone.standalone.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headstone.standalone.source.ShardPosition.After;
import dev.headstone.standalone.source.ShardPosition.End;
import dev.headstone.standalone.source.ShardPosition.Horizon;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.Shard;

final class ShardLineageTest {
    private static final List<Shard> TREE =
            List.of(
                    shard("root", "trimmed long ago"),
                    shard("left", "root"),
                    shard("right", "root"),
                    shard("leaf", "left"),
                    shard("other", null));

    @Test
    void aChildWaitsForItsParentsEnd() {
        assertThat(ready(Map.of())).containsExactly("root", "other");
        assertThat(ready(Map.of("root", new After("9")))).containsExactly("root", "other");
        assertThat(ready(Map.of("root", new End()))).containsExactly("left", "right", "other");
        assertThat(ready(Map.of("root", new End(), "left", new End())))
                .containsExactly("right", "leaf", "other");
    }

    @Test
    void aShardThatIsSettledToItsEndIsNotReadAgain() {
        assertThat(ready(Map.of("other", new End()))).containsExactly("root");
    }

    @Test
    void whatTheStreamListsNoMoreIsPastAndWhatWasNotReadToItsEndIsALoss() {
        ShardLineage lineage =
                new ShardLineage(
                        TREE,
                        Map.of(
                                "gone", new End(),
                                "lost", new Horizon(),
                                "root", new End()));

        assertThat(lineage.past()).containsExactlyInAnyOrder("gone", "lost");
        assertThat(lineage.trimmed()).containsExactly("lost");
    }

    private static List<String> ready(Map<String, ShardPosition> positions) {
        return new ShardLineage(TREE, positions).ready();
    }

    private static Shard shard(String id, @Nullable String parent) {
        return Shard.builder().shardId(id).parentShardId(parent).build();
    }
}
