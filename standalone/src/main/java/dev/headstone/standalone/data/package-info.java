/** The data folder of {@code serve}: one owner at a time, files that are whole or not there. */
@NullMarked
package dev.headstone.standalone.data;

import org.jspecify.annotations.NullMarked;
