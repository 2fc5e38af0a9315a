/**
 * One link, its table, stream and caches, and the shipped classes as actors whose only steps are
 * calls of their ports.
 */
@NullMarked
package dev.headstone.proof.model;

import org.jspecify.annotations.NullMarked;
