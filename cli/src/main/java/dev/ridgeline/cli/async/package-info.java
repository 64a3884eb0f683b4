/**
 * async-profiler for runs of our own and of other programs: its native library, and whether the
 * machine has counters for it. Sampling itself is the profiler's.
 */
package dev.ridgeline.cli.async;
