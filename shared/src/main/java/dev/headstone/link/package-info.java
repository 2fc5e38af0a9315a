/** What a link is and what a click on it may get: values and pure decisions, the JDK only. */
@NullMarked
package dev.headstone.link;

import org.jspecify.annotations.NullMarked;
