/**
 * The {@code ridgeline} command: what a user types, and what is printed back.
 *
 * <p>{@link dev.ridgeline.cli.Main} holds the list of commands; each command has its own package
 * above {@code cli.line}, which has what all of them share. Nothing here computes: commands call
 * the other modules, print, and choose an exit code.
 */
package dev.ridgeline.cli;
