/**
 * What {@code serve} may be told: options and environment variables, checked once, as typed values.
 */
@NullMarked
package dev.headstone.standalone.options;

import org.jspecify.annotations.NullMarked;
