/** Tests of expressions: their grammar, their error texts and their effect. */
@NullMarked
package dev.headstone.dynamodb.expression;

import org.jspecify.annotations.NullMarked;
