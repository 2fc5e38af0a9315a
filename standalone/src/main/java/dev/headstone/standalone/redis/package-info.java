/** The cache of {@code serve} on one machine: a real redis-server as a child process. */
@NullMarked
package dev.headstone.standalone.redis;

import org.jspecify.annotations.NullMarked;
