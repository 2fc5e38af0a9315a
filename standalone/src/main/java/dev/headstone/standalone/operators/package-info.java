/** Who may do what on the control port: named tokens, kept hashed in the data folder. */
@NullMarked
package dev.headstone.standalone.operators;

import org.jspecify.annotations.NullMarked;
