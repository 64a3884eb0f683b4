/**
 * Scopes, per-thread call trees, allocations and declared work.
 *
 * <p>{@link dev.ridgeline.profiler.Profiler} is the door: programs open scopes through it, and
 * {@code start} … {@code stop} returns a {@link dev.ridgeline.profiler.Profile}, the immutable
 * result, read through its {@link dev.ridgeline.profiler.CallTree}. {@code Calibrator} measures
 * what recording costs, {@code TreeMerger} subtracts it when it adds up the trees of threads.
 * Nothing here knows a file format, a model or a kernel; drawing a profile is the job of {@code
 * dev.ridgeline.report}.
 */
package dev.ridgeline.profiler;
