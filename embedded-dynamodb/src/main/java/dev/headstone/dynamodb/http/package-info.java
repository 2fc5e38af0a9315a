/** The service's wire protocol over HTTP. */
@NullMarked
package dev.headstone.dynamodb.http;

import org.jspecify.annotations.NullMarked;
