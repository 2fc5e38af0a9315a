/** The backstop: what the stream says has changed is repaired from the table and recorded. */
@NullMarked
package dev.headstone.stream;

import org.jspecify.annotations.NullMarked;
