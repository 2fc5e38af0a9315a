/** The script that ships, run without a Redis. */
@NullMarked
package dev.headstone.proof.script;

import org.jspecify.annotations.NullMarked;
