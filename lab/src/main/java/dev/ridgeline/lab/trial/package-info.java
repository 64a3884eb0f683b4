/**
 * Trials, and the record of a comparison. {@code Session} decides how long the trials of an A/B
 * comparison measure and when it stops; {@code Schedule} runs rounds of trials within a budget of
 * time, for everything that has trials. {@code process} starts them, {@code verdict} says what the
 * numbers mean.
 */
package dev.ridgeline.lab.trial;
