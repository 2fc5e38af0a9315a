/** Tests of the tokens of the control port. */
@NullMarked
package dev.headstone.standalone.operators;

import org.jspecify.annotations.NullMarked;
