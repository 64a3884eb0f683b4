/**
 * The {@code ab} command: two sides, run now and in turns, and one word about the difference. It
 * starts processes and draws the answer; sessions and verdicts are the lab's.
 */
package dev.ridgeline.cli.ab;
