/** The pipeline from outside: processes, ports, signals. */
@NullMarked
package dev.headstone.standalone.e2e;

import org.jspecify.annotations.NullMarked;
