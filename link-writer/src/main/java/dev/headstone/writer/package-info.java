/**
 * The link writer: creates, changes and takes down links, and decides whether a request to do so is
 * acceptable.
 */
@NullMarked
package dev.headstone.writer;

import org.jspecify.annotations.NullMarked;
