/** Tests of the Redis child. */
@NullMarked
package dev.headstone.standalone.redis;

import org.jspecify.annotations.NullMarked;
