package dev.headstone.standalone.operators;

/**
 * Who holds the token that came with a request.
 *
 * @param name the actor in receipts and in the audit log
 * @param role what they may do
 */
public record Caller(String name, Role role) {}
