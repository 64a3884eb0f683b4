/**
 * What tests and {@code bench} hold our code against: engines that we did not write, asked for a
 * second opinion, memory that no kernel may leave, and JVMs that count what is allocated. Uses
 * nothing of ours; whoever asks for what is not on this machine is skipped.
 */
package dev.ridgeline.oracle;
