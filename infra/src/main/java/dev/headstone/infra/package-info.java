/** The same pipeline on AWS: a CDK app whose templates are checked without an account. */
@NullMarked
package dev.headstone.infra;

import org.jspecify.annotations.NullMarked;
