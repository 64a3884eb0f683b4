/**
 * {@code ridgeline report}: lists runs, and draws any of them again in any format.
 *
 * <p>{@link dev.ridgeline.cli.report.Drawing} is the one place that knows which class draws which
 * format; {@code profile} uses it as well.
 */
package dev.ridgeline.cli.report;
