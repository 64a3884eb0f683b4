/**
 * The workload {@code kernels}: the operations language models are made of, each alone, and two
 * small models.
 *
 * <p>A {@link dev.ridgeline.cli.kernels.Kernel} is an operation of {@link dev.ridgeline.tensor.Ops}
 * or {@link dev.ridgeline.tensor.grad.Grad} on fixed data, with a plain formula for each result. No
 * arithmetic of its own lives here but those formulas.
 */
package dev.ridgeline.cli.kernels;
