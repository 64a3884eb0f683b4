/**
 * What may be concluded from trials or finished runs, and how that is told. Who runs trials lives
 * in {@code trial}.
 */
package dev.ridgeline.lab.verdict;
