/** Jlama, an engine of others, as a program to be profiled from outside. */
package dev.ridgeline.bench.jlama;
