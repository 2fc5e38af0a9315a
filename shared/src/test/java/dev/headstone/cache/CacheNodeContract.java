package dev.headstone.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What every {@link CacheNode} does: the fake that tests use, and the adapter that ships. */
public abstract class CacheNodeContract {
    /** The node under test, connected, of which nobody has swept anything. */
    protected abstract CacheNode node();

    /** Lets something lie in the node that is no marker. */
    protected abstract void put();

    /** Ends the node's run and starts another one with the same data, and connects to it. */
    protected abstract void restart();

    /** Cuts the connections and opens them again. */
    protected abstract void reconnect();

    /** The node answers nothing from now on. */
    protected abstract void cutOff();

    @Test
    void showsThePrimaryAndItsRun() {
        put();
        NodeView.Primary first = primary();

        assertThat(first.swept()).isFalse();
        assertThat(first.incarnation()).isEqualTo(node().incarnation());
        assertThat(primary()).isEqualTo(first);
    }

    @Test
    void needsNoSweepWhereNothingLies() {
        assertThat(primary().swept()).isTrue();
    }

    @Test
    void showsTheMarkerOfItsRun() {
        put();
        assertThat(primary().swept()).isFalse();
        assertThat(node().markSwept(primary().run())).isEqualTo(new MarkOutcome.Marked());

        assertThat(primary().swept()).isTrue();
    }

    @Test
    void takesTheMarkerOfAnotherRunForNothing() {
        node().markSwept(CacheRun.of("another", "history"));

        assertThat(primary().swept()).isFalse();
    }

    @Test
    void isInAnotherRunAfterARestart() {
        NodeView.Primary before = primary();
        node().markSwept(before.run());

        restart();

        assertThat(node().incarnation()).isNotEqualTo(before.incarnation());
        assertThat(primary().run()).isNotEqualTo(before.run());
        assertThat(primary().swept()).isFalse();
    }

    @Test
    void isInTheSameRunAfterAReconnect() {
        NodeView.Primary before = primary();
        node().markSwept(before.run());

        reconnect();

        assertThat(node().incarnation()).isNotEqualTo(before.incarnation());
        assertThat(primary().run()).isEqualTo(before.run());
        assertThat(primary().swept()).isTrue();
    }

    @Test
    void isUnknownWhileItDoesNotAnswer() {
        CacheRun run = primary().run();

        cutOff();

        assertThat(node().observe()).isInstanceOf(NodeView.Unknown.class);
        assertThat(node().markSwept(run)).isInstanceOf(MarkOutcome.NotMarked.class);
    }

    private NodeView.Primary primary() {
        return (NodeView.Primary) node().observe();
    }
}
