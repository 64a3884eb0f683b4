/**
 * Kernels at random shapes between pages that nobody may touch, against sums in double: what tests
 * do for some shapes, for as many as one likes.
 */
package dev.ridgeline.bench.shapes;
