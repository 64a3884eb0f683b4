/**
 * What runs on a CPU core: {@link dev.ridgeline.tensor.kernel.Kernels}, the contract, in parts for
 * rows, attention and gradients. Its families are packages of their own, which use this one and
 * which this one does not know; {@code tensor.cpu} chooses among them. Kernels take raw addresses
 * and ranges; they start no thread, check no bounds, open no scope and allocate nothing.
 */
package dev.ridgeline.tensor.kernel;
