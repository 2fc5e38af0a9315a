/** The audit log: one hash chain a link, written once, read in pages, and verified. */
@NullMarked
package dev.headstone.auditlog;

import org.jspecify.annotations.NullMarked;
