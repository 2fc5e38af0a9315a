/** Tests of the data folder. */
@NullMarked
package dev.headstone.standalone.data;

import org.jspecify.annotations.NullMarked;
