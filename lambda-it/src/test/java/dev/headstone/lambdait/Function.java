package dev.headstone.lambdait;

/** Every function that is deployed: its module, whose jar it is in, and its entry point. */
enum Function {
    REDIRECT("redirect-handler", "dev.headstone.redirect.RedirectLambda"),
    LINK_API("link-writer", "dev.headstone.writer.LinkApiLambda"),
    TAKEDOWN("link-writer", "dev.headstone.writer.TakedownLambda"),
    INVALIDATION("link-writer", "dev.headstone.writer.InvalidationLambda"),
    STREAM("stream-consumer", "dev.headstone.stream.StreamLambda"),
    SWEEP("stream-consumer", "dev.headstone.stream.SweepLambda"),
    COMPARATOR("stream-consumer", "dev.headstone.stream.ComparatorLambda"),
    AUDIT("audit-writer", "dev.headstone.auditlog.AuditHandler");

    private final String module;
    private final String handler;

    Function(String module, String handler) {
        this.module = module;
        this.handler = handler;
    }

    String module() {
        return module;
    }

    String handler() {
        return handler;
    }
}
