/** Tests of what {@code serve} may be told. */
@NullMarked
package dev.headstone.standalone.options;

import org.jspecify.annotations.NullMarked;
