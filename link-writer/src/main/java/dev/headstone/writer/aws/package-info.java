/** The operator's way to a deployed stack: identity, table and invalidation, without a server. */
@NullMarked
package dev.headstone.writer.aws;

import org.jspecify.annotations.NullMarked;
