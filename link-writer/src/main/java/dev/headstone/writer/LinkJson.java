package dev.headstone.writer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.headstone.cache.CacheLookup;
import dev.headstone.cache.CacheRecord;
import dev.headstone.link.Link;
import dev.headstone.link.ShortCode;
import dev.headstone.link.Standing.Alive;
import dev.headstone.link.Standing.Dead;
import dev.headstone.table.VisitHistory;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * Links and receipts as answers show them. A link always has the same fields, null where it has
 * nothing to say; only the destination of a dead link is left out for those who may not see it.
 * Immutable.
 */
final class LinkJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String prefix;

    /**
     * @param baseUrl what a code is appended to, with a slash in between
     */
    LinkJson(URI baseUrl) {
        String text = baseUrl.toString();
        prefix = text.endsWith("/") ? text : text + "/";
    }

    /** The answer to a create: the link as it came into being. */
    String created(Link link, Instant now) {
        return link(link, Optional.of(VisitHistory.none()), now, true).toString();
    }

    /** The code in an answer that {@link #created} made. */
    static ShortCode codeIn(String answer) {
        try {
            return new ShortCode(JSON.readTree(answer).path("short_code").asText());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored answer is no JSON", e);
        }
    }

    /** A link as {@code caller} may see it, with what lies in the cache. */
    String shown(LinkView.Sight.Shown sight, Caller caller, Instant now) {
        Link link = sight.link();
        boolean withDestination =
                LinkState.of(link, now) == LinkState.ACTIVE || caller.maySeeDestinationOfDead(link);
        ObjectNode node = link(link, sight.visits(), now, withDestination);
        node.set("cache", cache(sight.cache()));
        return node.toString();
    }

    /** The visits of a link by day (UTC), oldest first; days without any are left out. */
    static String stats(Link link, VisitHistory visits) {
        ObjectNode node = object();
        node.put("short_code", link.code().value());
        putVisits(node, link, Optional.of(visits));
        var days = node.putArray("days");
        visits.byDay()
                .forEach(
                        (day, count) ->
                                days.addObject().put("day", day.toString()).put("visits", count));
        return node.toString();
    }

    /** Of a limited link each visit was claimed from its item, whose count is exact. */
    private static void putVisits(ObjectNode node, Link link, Optional<VisitHistory> visits) {
        if (link.visitLimit().isPresent()) {
            node.put("visits", link.visits());
        } else {
            node.put("visits", visits.map(VisitHistory::total).orElse(null));
        }
        put(node, "last_visited_at", visits.flatMap(VisitHistory::last));
    }

    private ObjectNode link(
            Link link, Optional<VisitHistory> visits, Instant now, boolean withDestination) {
        ObjectNode node = object();
        node.put("short_code", link.code().value());
        node.put("short_url", prefix + link.code().value());
        if (withDestination) {
            node.put("long_url", link.longUrl().orElse(null));
        }
        node.put("state", LinkState.of(link, now).wireName());
        node.put("version", link.version());
        node.put("created_at", Timestamps.text(link.createdAt()));
        put(node, "expires_at", link.expiresAt());
        put(node, "deleted_at", deletedAt(link));
        node.put("changed_at", Timestamps.text(link.lastChange().at()));
        node.put("changed_by", link.lastChange().by());
        node.put("change_reason", link.lastChange().reason().orElse(null));
        putVisits(node, link, visits);
        if (link.visitLimit().isPresent()) {
            node.put("visit_limit", link.visitLimit().getAsLong());
        } else {
            node.putNull("visit_limit");
        }
        node.put("owner", link.owner().orElse(null));
        var tags = node.putArray("tags");
        link.tags().forEach(tags::add);
        return node;
    }

    private static Optional<Instant> deletedAt(Link link) {
        return switch (link.standing()) {
            case Alive _ -> Optional.empty();
            case Dead(var _, Instant deletedAt) -> Optional.of(deletedAt);
        };
    }

    private static ObjectNode cache(CacheLookup lookup) {
        return switch (lookup) {
            case CacheLookup.Found(CacheRecord.Active active) ->
                    cache("active", Optional.of(active), Optional.of(active.freshUntil()));
            case CacheLookup.Found(CacheRecord.Tombstone tombstone) ->
                    cache("deleted", Optional.of(tombstone), Optional.empty());
            case CacheLookup.Absent _ -> cache("absent", Optional.empty(), Optional.empty());
            case CacheLookup.Unreadable _ ->
                    cache("unreadable", Optional.empty(), Optional.empty());
            case CacheLookup.Unavailable _ ->
                    cache("unavailable", Optional.empty(), Optional.empty());
        };
    }

    private static ObjectNode cache(
            String state, Optional<CacheRecord> record, Optional<Instant> freshUntil) {
        ObjectNode node = object();
        node.put("state", state);
        node.put("stamp", record.map(found -> found.stamp().text()).orElse(null));
        put(node, "fresh_until", freshUntil);
        put(node, "stale_until", record.map(CacheRecord::staleUntil));
        return node;
    }

    /** A receipt. */
    static String receipt(Receipt receipt) {
        ObjectNode node = object();
        node.put("short_code", receipt.code().value());
        node.put("outcome", "confirmed");
        node.put("state", receipt.state().wireName());
        node.put("version", receipt.version());
        node.put("at", Timestamps.text(receipt.at()));
        node.put("confirmed_at", Timestamps.text(receipt.confirmedAt()));
        node.put("edge_clear_at", Timestamps.text(receipt.edgeClearAt()));
        node.put("event_id", receipt.eventId());
        return node.toString();
    }

    private static void put(ObjectNode node, String field, Optional<Instant> instant) {
        node.put(field, instant.map(Timestamps::text).orElse(null));
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
