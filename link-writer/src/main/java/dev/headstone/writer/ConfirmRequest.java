package dev.headstone.writer;

/** The wish to have a dead link's tombstone written again. It says nothing more. */
public record ConfirmRequest() {}
