package dev.ridgeline.cli.texts;

/**
 * A text as its input has it.
 *
 * @param index its place in its input, from 0
 * @param fields what else its line of JSON says, as a JSON object; null where that is nothing or
 *     nobody asked
 */
public record Entry(long index, String text, String fields) {}
