/** Tests of the redirect, and what they stand on. */
@NullMarked
package dev.headstone.redirect;

import org.jspecify.annotations.NullMarked;
