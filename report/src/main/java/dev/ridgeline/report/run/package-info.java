/**
 * Run directories: what a profiled or measured command leaves behind, written whole or not at all.
 */
package dev.ridgeline.report.run;
