package dev.headstone.dynamodb.expression;

import dev.headstone.dynamodb.value.AttributeValue;
import java.util.Optional;

/**
 * The keys a query reads: those of one partition, or some of them.
 *
 * @param hash the partition key
 * @param sort which sort keys; empty for all
 */
public record QueriedKeys(AttributeValue hash, Optional<SortCondition> sort) {}
