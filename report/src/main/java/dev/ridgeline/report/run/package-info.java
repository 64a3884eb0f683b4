/**
 * Run directories: what a profiled or measured command leaves behind, written whole or not at all.
 *
 * <p>{@link dev.ridgeline.report.run.Runs} is the folder: it begins a run as a {@link
 * dev.ridgeline.report.run.RunDraft} and finds finished ones as {@link
 * dev.ridgeline.report.run.RunDirectory}. {@link dev.ridgeline.report.run.Run} is what {@code
 * run.json} says.
 */
package dev.ridgeline.report.run;
