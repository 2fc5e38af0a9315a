/** The randomised campaign: what ships, on Redis processes as they are, under random faults. */
@NullMarked
package dev.headstone.proof.campaign;

import org.jspecify.annotations.NullMarked;
