/** Tests of the queue on one machine. */
@NullMarked
package dev.headstone.standalone.queue;

import org.jspecify.annotations.NullMarked;
