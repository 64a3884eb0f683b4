package dev.ridgeline.tensor;

/**
 * A matrix that rows are multiplied with, and where that goes; see {@link Ops#matmul(Tensor,
 * Projection...)}.
 */
public record Projection(Tensor out, Tensor matrix, Tensor biasOrNull) {}
