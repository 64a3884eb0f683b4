/**
 * A profile in, bytes out: one class per format, and the findings that end every report.
 *
 * <p>No clock, no decision where files go, no word of models or kernels. {@link
 * dev.ridgeline.report.Report} is what every format draws; {@code dev.ridgeline.report.run} keeps
 * runs on disk, and its {@code Drawing} calls the class of each {@link
 * dev.ridgeline.report.Format}.
 */
package dev.ridgeline.report;
