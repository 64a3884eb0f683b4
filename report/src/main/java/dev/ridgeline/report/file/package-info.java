/**
 * Readers and writers of the files that hold profiles and ceilings; what is read equals what was
 * written.
 */
package dev.ridgeline.report.file;
