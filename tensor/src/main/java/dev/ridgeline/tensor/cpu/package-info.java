/**
 * The processor as a device: tensors in native memory, operations cut into ranges for the workers,
 * and in each range the kernels of the family that {@link dev.ridgeline.tensor.cpu.KernelChoice}
 * picked. Others come in by {@code Device}; what measures tiles, by {@link
 * dev.ridgeline.tensor.cpu.ProductTrial}.
 */
package dev.ridgeline.tensor.cpu;
