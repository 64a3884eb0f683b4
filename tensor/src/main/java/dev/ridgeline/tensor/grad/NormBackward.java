package dev.ridgeline.tensor.grad;

import dev.ridgeline.tensor.Tensor;

/**
 * How gradients go through norms of a kind.
 *
 * @param add whether the gradient of x is added to what is there, the gradient that went around the
 *     norm; else written over it
 * @param stats room for two numbers a row of x
 */
public record NormBackward(float epsilon, boolean add, Tensor stats) {}
