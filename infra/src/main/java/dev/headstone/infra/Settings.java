package dev.headstone.infra;

import java.util.Optional;

/**
 * What one deployment may want to be otherwise. None of it is a secret or names an account.
 *
 * @param domain the host of short URLs; empty for the one that CloudFront gives
 * @param firewall the ARN of a web ACL made elsewhere, for a deployment outside us-east-1; empty to
 *     make one here
 * @param artifacts the code of functions
 */
record Settings(Optional<Domain> domain, Optional<String> firewall, Artifacts artifacts) {
    /**
     * A host with its certificate.
     *
     * @param certificate the ARN of a certificate in us-east-1, where CloudFront looks for it
     */
    record Domain(String name, String certificate) {}
}
