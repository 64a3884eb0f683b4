/** The command that finds tiles and thresholds for this machine, and the process that measures. */
package dev.ridgeline.cli.tune;
