/** Tests of the commands and the launcher as a person meets them. */
@NullMarked
package dev.headstone.standalone;

import org.jspecify.annotations.NullMarked;
