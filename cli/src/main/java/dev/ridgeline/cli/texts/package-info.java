/** Texts that a command takes: from a file or a pipe, line by line; from whom a person types. */
package dev.ridgeline.cli.texts;
