/** Tests of what every function needs. */
@NullMarked
package dev.headstone.lambda;

import org.jspecify.annotations.NullMarked;
