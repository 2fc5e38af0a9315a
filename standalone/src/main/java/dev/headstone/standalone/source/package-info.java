/**
 * The event sources: they poll the table's stream and the audit queue, hand the handlers the JSON
 * events that Lambda would hand them, and treat what comes back as Lambda's event source mapping
 * does.
 */
@NullMarked
package dev.headstone.standalone.source;

import org.jspecify.annotations.NullMarked;
