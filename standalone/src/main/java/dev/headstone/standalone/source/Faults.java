package dev.headstone.standalone.source;

import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Names errors for the log and for readiness without their messages, which may hold a destination
 * or a token.
 */
final class Faults {
    private Faults() {}

    static String name(Throwable fault) {
        if (fault instanceof AwsServiceException service && service.awsErrorDetails() != null) {
            return service.awsErrorDetails().errorCode();
        }
        return fault.getClass().getSimpleName();
    }
}
