/**
 * Runs trials as processes: starts them, reads what they leave, and sees to it that nothing of them
 * survives the session. Which trials there are and when they run is decided in {@code trial}.
 */
package dev.ridgeline.lab.process;
