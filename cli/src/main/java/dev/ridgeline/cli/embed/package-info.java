/** The {@code embed} command and the workload {@code profile embed}: texts in, vectors out. */
package dev.ridgeline.cli.embed;
