/**
 * {@code ridgeline profile}: runs a workload under the profiler and leaves a run directory.
 *
 * <p>{@link dev.ridgeline.cli.profile.Workload} is what can be run; the workloads themselves live
 * in packages of their own.
 */
package dev.ridgeline.cli.profile;
