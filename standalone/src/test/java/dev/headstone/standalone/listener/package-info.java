/** Tests of the listener, over raw sockets. */
@NullMarked
package dev.headstone.standalone.listener;

import org.jspecify.annotations.NullMarked;
