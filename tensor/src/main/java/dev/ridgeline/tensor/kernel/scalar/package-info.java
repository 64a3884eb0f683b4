/**
 * The reference that every other family is tested against: obvious, exact, slow. The formulas of
 * activations are in {@link dev.ridgeline.tensor.Activation}.
 */
package dev.ridgeline.tensor.kernel.scalar;
