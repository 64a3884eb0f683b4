/**
 * Trials: in which order and how often they run within a budget of time ({@code Schedule}), how two
 * sides are held against each other, and the record. What a trial is started with is told in {@code
 * process}, what the numbers mean in {@code verdict}.
 */
package dev.ridgeline.lab.trial;
