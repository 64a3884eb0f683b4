package dev.ridgeline.tensor.kernel.assembled;

/**
 * Writes the instructions of a kernel; each start has one, so it is no lambda, which takes long.
 */
interface Emitter {
  /** The code, once. */
  byte[] emit();
}
