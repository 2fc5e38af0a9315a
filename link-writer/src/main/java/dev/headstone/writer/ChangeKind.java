package dev.headstone.writer;

import dev.headstone.audit.AuditType;
import dev.headstone.link.Link;

/**
 * What somebody does to a link. The word begins the id of the change, so that the item itself tells
 * what kind of change made its version. With what {@link RandomIds} adds, an id has at most 33
 * characters: DynamoDB takes 36 as client token of a transaction.
 */
enum ChangeKind {
    CREATE("create", AuditType.LINK_CREATED),
    TAKEDOWN("takedown", AuditType.LINK_TAKEN_DOWN),
    RESTORE("restore", AuditType.LINK_RESTORED),
    CONFIRM("confirm", AuditType.CACHE_CONFIRMED),
    DEACTIVATE("deactivate", AuditType.LINK_DEACTIVATED),
    REACTIVATE("reactivate", AuditType.LINK_REACTIVATED),
    ALTER("alter", AuditType.LINK_CHANGED);

    private final String word;
    private final AuditType auditType;

    ChangeKind(String word, AuditType auditType) {
        this.word = word;
        this.auditType = auditType;
    }

    /** The word in ids and in metrics. */
    String word() {
        return word;
    }

    AuditType auditType() {
        return auditType;
    }

    String newId(RandomIds ids) {
        return ids.next(word);
    }

    /** Whether a change of this kind by {@code actor} made the present version of {@code link}. */
    boolean madeBy(String actor, Link link) {
        return link.lastChange().by().equals(actor)
                && link.lastChange().id().startsWith(word + "-");
    }
}
