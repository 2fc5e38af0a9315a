/** The commands for people: they ask a running {@code serve} and show what it says. */
@NullMarked
package dev.headstone.standalone.cli;

import org.jspecify.annotations.NullMarked;
