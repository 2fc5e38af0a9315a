/**
 * What every function on AWS needs, whichever verb it carries: its settings, its clients, the cache
 * as seen from an environment that freezes, what happens around a snapshot, figures and logs.
 */
@NullMarked
package dev.headstone.lambda;

import org.jspecify.annotations.NullMarked;
