/** The command {@code prove}: runs the checks of the protocol, and shows what they say. */
@NullMarked
package dev.headstone.standalone.prove;

import org.jspecify.annotations.NullMarked;
