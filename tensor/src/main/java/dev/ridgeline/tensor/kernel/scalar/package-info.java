/** The reference that every other family is tested against: obvious, exact, slow. */
package dev.ridgeline.tensor.kernel.scalar;
