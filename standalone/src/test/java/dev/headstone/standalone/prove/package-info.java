/** Tests of the command {@code prove}. */
@NullMarked
package dev.headstone.standalone.prove;

import org.jspecify.annotations.NullMarked;
