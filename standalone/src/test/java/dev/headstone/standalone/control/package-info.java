/** Tests of the control port. */
@NullMarked
package dev.headstone.standalone.control;

import org.jspecify.annotations.NullMarked;
