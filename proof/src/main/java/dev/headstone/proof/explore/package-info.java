/** The search: every state that steps can lead to, each visited once. */
@NullMarked
package dev.headstone.proof.explore;

import org.jspecify.annotations.NullMarked;
