/**
 * Many arms held against each other: rounds of trials in fresh processes, each round in a random
 * order, within a budget. What the arms are is the caller's; what may be concluded from them is
 * told as an {@link dev.ridgeline.lab.sweep.Answer}, and kept with every trial as a {@link
 * dev.ridgeline.lab.sweep.Study}. Two sides alone are held against each other in {@code trial}.
 */
package dev.ridgeline.lab.sweep;
