/**
 * {@code ridgeline profile}: runs a {@link dev.ridgeline.cli.workload.Workload} under the profiler
 * and leaves a run directory. The workloads live in packages of their own, which do not know this
 * one.
 */
package dev.ridgeline.cli.profile;
