package dev.headstone.standalone.source;

import dev.headstone.dynamodb.Settings;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

final class DynamoDbShardCheckpointsTest extends ShardCheckpointsContract {
    private static final String TABLE = "Links-checkpoints";

    private static EmbeddedTable embedded;

    /** Each test has a consumer, and so a part of the table, to itself. */
    private String consumer = "";

    @BeforeAll
    static void open() {
        embedded = new EmbeddedTable(Settings.inMemory(InstantSource.system()));
        embedded.dynamoDb.createTable(StreamSource.checkpointTable(TABLE));
    }

    @AfterAll
    static void close() {
        embedded.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        consumer = test.getDisplayName();
    }

    @Override
    ShardCheckpoints checkpoints(String owner) {
        return new DynamoDbShardCheckpoints(
                embedded.dynamoDb,
                TABLE,
                StreamSettings.local(consumer, owner, FakeStreams.ARN),
                clock);
    }
}
