/** A browser for tests of what people see. */
@NullMarked
package dev.headstone.standalone.browser;

import org.jspecify.annotations.NullMarked;
