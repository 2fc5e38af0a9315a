/** The truth about links: port and DynamoDB adapter. */
@NullMarked
package dev.headstone.table;

import org.jspecify.annotations.NullMarked;
