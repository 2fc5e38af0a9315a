/** Tests of the event sources, with small stand-ins for the services that they poll. */
@NullMarked
package dev.headstone.standalone.source;

import org.jspecify.annotations.NullMarked;
