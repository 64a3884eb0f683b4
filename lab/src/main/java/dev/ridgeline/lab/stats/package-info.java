/** Statistics as pure functions: numbers in, numbers out, no clock and no files. */
package dev.ridgeline.lab.stats;
