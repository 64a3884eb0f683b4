/** {@code ridgeline report}: lists runs, and draws any of them again in any format. */
package dev.ridgeline.cli.report;
