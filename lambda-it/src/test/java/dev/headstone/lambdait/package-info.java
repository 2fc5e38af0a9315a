/**
 * Each function in a JVM of its own, under the real runtime client and against a Runtime API on
 * this machine, over the embedded services.
 */
@NullMarked
package dev.headstone.lambdait;

import org.jspecify.annotations.NullMarked;
