/** What is told of every change and every outcome, and the queue that carries it to the log. */
@NullMarked
package dev.headstone.audit;

import org.jspecify.annotations.NullMarked;
