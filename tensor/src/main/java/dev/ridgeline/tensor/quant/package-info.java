/** Numbers into blocks and back, for every type; exact and obvious, not fast paths of kernels. */
package dev.ridgeline.tensor.quant;
