/** The control port: who may ask, what is answered, and the server that carries both. */
@NullMarked
package dev.headstone.standalone.control;

import org.jspecify.annotations.NullMarked;
