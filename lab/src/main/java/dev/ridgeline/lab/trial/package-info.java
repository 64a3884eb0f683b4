/**
 * Runs trials: fresh processes, in pairs and random order, within a budget of time, and keeps the
 * record. What a trial is started with is the caller's; what the numbers mean is told in {@code
 * verdict}.
 */
package dev.ridgeline.lab.trial;
