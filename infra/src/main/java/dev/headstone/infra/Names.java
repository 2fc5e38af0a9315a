package dev.headstone.infra;

/** What tables and queues are called: the defaults of the functions, which are told them anyway. */
final class Names {
    static final String LINKS = "Links";
    static final String DEATHS = LINKS + "-deaths";
    static final String IDEMPOTENCY = LINKS + "-idempotency";
    static final String VISITS = LINKS + "-visits";
    static final String PARKED = LINKS + "-parked";
    static final String COMPARISONS = LINKS + "-comparisons";
    static final String AUDIT_LOG = "AuditLog";
    static final String AUDIT_QUEUE = "headstone-audit.fifo";
    static final String AUDIT_DEAD_LETTERS = "headstone-audit-dlq.fifo";

    /** The cache's user, whose token functions present. */
    static final String CACHE_USER = "headstone";

    /** The secret that holds the token. */
    static final String CACHE_TOKEN = "headstone/cache-token";

    /** The same secret, as the parameter store shows it. */
    static final String CACHE_TOKEN_PARAMETER = "/aws/reference/secretsmanager/" + CACHE_TOKEN;

    /** The CloudWatch namespace of the functions' own figures. */
    static final String METRICS = "Headstone";

    private Names() {}
}
