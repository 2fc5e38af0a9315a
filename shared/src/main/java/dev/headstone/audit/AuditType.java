package dev.headstone.audit;

/** What an audit event tells of. */
public enum AuditType {
    /** A link came into being. */
    LINK_CREATED("link.created"),
    /** An operator took a link down. */
    LINK_TAKEN_DOWN("link.taken_down"),
    /** A link was switched off. */
    LINK_DEACTIVATED("link.deactivated"),
    /** A link was switched on again. */
    LINK_REACTIVATED("link.reactivated"),
    /** A taken-down or exhausted link was brought back. */
    LINK_RESTORED("link.restored"),
    /** A link's expiry or tags changed. */
    LINK_CHANGED("link.changed"),
    /** The visit limit of a link was used up. */
    LINK_EXHAUSTED("link.exhausted"),
    /** The item of a link is gone from the table. */
    LINK_PURGED("link.purged"),
    /** The tombstone of a dead link was written again, on request. */
    CACHE_CONFIRMED("cache.confirmed"),
    /** The cache disagreed with the table and was brought in line. */
    CACHE_REPAIRED("cache.repaired"),
    /** A stream record that nobody can read was set aside. */
    RECORD_PARKED("record.parked"),
    /** The links of a host are no longer served. */
    HOST_BLOCKED("host.blocked"),
    /** The links of a host may be served again. */
    HOST_UNBLOCKED("host.unblocked"),
    /** The links of an owner are no longer served. */
    OWNER_BLOCKED("owner.blocked"),
    /** The links of an owner may be served again. */
    OWNER_UNBLOCKED("owner.unblocked"),
    /** The links with a tag are no longer served. */
    TAG_BLOCKED("tag.blocked"),
    /** The links with a tag may be served again. */
    TAG_UNBLOCKED("tag.unblocked");

    private final String wireName;

    AuditType(String wireName) {
        this.wireName = wireName;
    }

    /** The name in JSON. */
    public String wireName() {
        return wireName;
    }

    /** What kind of thing the event is about: the name up to the dot, such as {@code host}. */
    public String subject() {
        return wireName.substring(0, wireName.indexOf('.'));
    }

    /** Whether an event of this type is about exactly one link, and so must name its code. */
    public boolean concernsOneLink() {
        return concernsOneLink(wireName);
    }

    /** The same for a type of any name, also one that is not known here. */
    static boolean concernsOneLink(String wireName) {
        return wireName.startsWith("link.") || wireName.startsWith("cache.");
    }
}
