/**
 * Listens for clicks: HTTP/1.1 on event loops that the connections to the cache may share, so that
 * a hit never leaves its thread.
 */
@NullMarked
package dev.headstone.standalone.listener;

import org.jspecify.annotations.NullMarked;
