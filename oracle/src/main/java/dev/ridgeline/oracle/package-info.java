/**
 * Engines that we did not write, asked for a second opinion by tests and {@code bench}. Knows
 * nothing of ours; whoever asks for what is not on this machine is skipped.
 */
package dev.ridgeline.oracle;
