/** Every number of staleness, in one place. */
@NullMarked
package dev.headstone.freshness;

import org.jspecify.annotations.NullMarked;
