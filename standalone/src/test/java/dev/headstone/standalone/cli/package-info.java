/** Tests of the commands for people. */
@NullMarked
package dev.headstone.standalone.cli;

import org.jspecify.annotations.NullMarked;
