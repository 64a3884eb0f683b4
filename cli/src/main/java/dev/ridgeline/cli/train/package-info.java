/**
 * The command {@code train}: a configuration in, a folder with a model out, told as it goes; and
 * the workload {@code train}, which is the same training under the profiler.
 */
package dev.ridgeline.cli.train;
