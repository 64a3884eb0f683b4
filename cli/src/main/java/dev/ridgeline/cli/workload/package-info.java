/**
 * What can be profiled, and how: {@link dev.ridgeline.cli.workload.Workload} is what the packages
 * of {@code embed}, {@code generate}, {@code kernels}, {@code op} and {@code train} implement; the
 * {@code profile} command, which knows them all, lives above.
 */
package dev.ridgeline.cli.workload;
