/**
 * A profile for the viewers of others: pprof, Perfetto, Chrome, speedscope, flame graphs; and the
 * difference between two.
 *
 * <p>One class per format, bytes out, the same bytes for the same profile. What all of them need is
 * next to them: {@code Stacks} for merged trees, {@code Slices} for raw events.
 */
package dev.ridgeline.report.format;
