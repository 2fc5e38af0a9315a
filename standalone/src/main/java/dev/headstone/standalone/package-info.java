/** The whole pipeline in one process on one machine, and the commands that people give it. */
@NullMarked
package dev.headstone.standalone;

import org.jspecify.annotations.NullMarked;
