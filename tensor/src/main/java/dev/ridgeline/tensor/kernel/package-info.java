/**
 * What runs on a CPU core: {@link dev.ridgeline.tensor.kernel.Kernels} and its families. Kernels
 * take raw addresses and ranges; they start no thread, check no bounds, open no scope and allocate
 * nothing.
 */
package dev.ridgeline.tensor.kernel;
