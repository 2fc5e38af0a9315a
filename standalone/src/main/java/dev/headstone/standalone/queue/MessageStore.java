package dev.headstone.standalone.queue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The H2 database in which ElasticMQ keeps queues and messages. It writes each commit through at
 * once: with H2's default, a process that is killed loses what was accepted in the last half
 * second.
 *
 * @param file without H2's suffix
 */
record MessageStore(Path file) {
    private static final String SUFFIX = ".mv.db";

    String url() {
        return "jdbc:h2:file:" + file.toAbsolutePath() + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    }

    /**
     * Makes visible what a process that was killed had in hand: nobody else will acknowledge it,
     * and until its time-out ended it would hold up its group.
     */
    void returnMessagesInHand() {
        if (!Files.exists(Path.of(file + SUFFIX))) {
            return;
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String table : messageTables(statement)) {
                statement.executeUpdate("update \"" + table + "\" set next_delivery = created");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the queue's store cannot be opened", e);
        }
    }

    private static List<String> messageTables(Statement statement) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet found =
                statement.executeQuery(
                        "select table_name from information_schema.tables where table_name like"
                                + " 'MESSAGE\\_%' escape '\\'")) {
            while (found.next()) {
                tables.add(found.getString(1));
            }
        }
        return tables;
    }

    /** Closes the database, once nobody sends any more. */
    void close() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        } catch (SQLException e) {
            throw new IllegalStateException("the queue's store cannot be closed", e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), "", "");
    }
}
