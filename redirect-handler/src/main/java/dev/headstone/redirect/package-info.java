/**
 * What a click gets: the cache first, the table where it must be, and nothing that died: the
 * redirect service, the paths it answers and its Lambda handler.
 */
@NullMarked
package dev.headstone.redirect;

import org.jspecify.annotations.NullMarked;
