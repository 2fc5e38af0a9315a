/** The figures: what a machine needs for what, measured from outside, beside something known. */
@NullMarked
package dev.headstone.bench;

import org.jspecify.annotations.NullMarked;
