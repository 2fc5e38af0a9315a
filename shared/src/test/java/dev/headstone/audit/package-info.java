/** A queue that keeps what it was sent, and what every queue must do. */
@NullMarked
package dev.headstone.audit;

import org.jspecify.annotations.NullMarked;
