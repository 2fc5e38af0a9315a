package dev.headstone.dynamodb.schema;

import dev.headstone.dynamodb.value.AttributeType;

/** An attribute that is part of a key, with the type it must have: S, N or B. */
public record KeyAttribute(String name, AttributeType type) {}
