/** Services that behave as nobody wants them to. */
@NullMarked
package dev.headstone.faults;

import org.jspecify.annotations.NullMarked;
