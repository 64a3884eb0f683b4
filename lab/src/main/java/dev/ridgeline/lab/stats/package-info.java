/**
 * Statistics as pure functions: numbers in, numbers out, no clock and no files.
 *
 * <p>Differences are paired log-ratios, {@code ln(b / a)}: of two arms with the same noise they are
 * symmetric about their centre, whatever that noise is like, and symmetry is all that the signed
 * ranks ask for. What is not finite is refused with an {@link IllegalArgumentException}; too few
 * numbers give an answer that says nothing (p = 1, infinite bounds). What follows from all this is
 * decided in {@code verdict}.
 */
package dev.ridgeline.lab.stats;
