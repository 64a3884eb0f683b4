/** Benchmarks of the project itself, and side-by-side runs against others. Never shipped. */
package dev.ridgeline.bench;
