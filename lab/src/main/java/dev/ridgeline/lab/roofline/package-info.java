/**
 * Measures what this machine can do, keeps it until it is stale, and says what that allows a
 * product or a whole model. How far a run came is told in {@code report.roofline}.
 */
package dev.ridgeline.lab.roofline;
