/**
 * Numbers into blocks and back, for every type, and whole files of another type. Exact and obvious,
 * not fast paths of kernels.
 */
package dev.ridgeline.tensor.quant;
