/** A log in memory, and what every log must do and notice. */
@NullMarked
package dev.headstone.auditlog;

import org.jspecify.annotations.NullMarked;
