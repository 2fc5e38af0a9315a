/** All that is checked of the protocol in one run: model, mutants, campaign. */
@NullMarked
package dev.headstone.proof;

import org.jspecify.annotations.NullMarked;
