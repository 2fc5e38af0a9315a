/**
 * The record of a link in the cache, the lease, and the one script that writes: port and adapter.
 */
@NullMarked
package dev.headstone.cache;

import org.jspecify.annotations.NullMarked;
