package dev.ridgeline.tensor.grad;

import dev.ridgeline.tensor.Tensor;

/** Queries, keys and values of an attention. */
public record Attended(Tensor q, Tensor k, Tensor v) {}
