package dev.ridgeline.tensor.grad;

import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;

/**
 * How gradients go through an attention.
 *
 * @param workspace from {@link Grad#attentionWorkspace}
 */
public record AttentionBackward(Sequences texts, Heads heads, Tensor workspace) {}
