/**
 * The {@code ab} command: two sides, run now and in turns, and one word about the difference. It
 * reads what was typed and prints the answer; processes, sessions and verdicts are the lab's.
 */
package dev.ridgeline.cli.ab;
