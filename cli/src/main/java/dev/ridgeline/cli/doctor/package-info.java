/**
 * {@code ridgeline doctor}: what this machine and this JVM can do, measured, and what to fix.
 *
 * <p>One probe per topic; each answers a list of checks, from which text and JSON are drawn.
 */
package dev.ridgeline.cli.doctor;
