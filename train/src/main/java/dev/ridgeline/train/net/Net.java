package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.tensor.Device;

/** A model that learns: its weights, and how losses and gradients are computed. */
public interface Net extends AutoCloseable {
  /** Its sizes, as a file has them. */
  Shape shape();

  /** Tokens that a text may have. */
  int context();

  int vocabulary();

  Parameters parameters();

  /**
   * Plans passes over some texts of the same length, on a device that reaches the weights.
   *
   * @param kept of each layer's forward for its backward
   */
  Pass plan(Device device, int texts, int length, Kept kept);

  /** One thread's passes. */
  interface Pass extends AutoCloseable {
    /**
     * The sum of the losses of all tokens, and its gradients times a factor.
     *
     * @param inputs ids, text after text
     * @param targets what comes behind each, −1 where nobody asks
     * @param offset of the first id of each
     * @param to is written over
     */
    double learn(int[] inputs, int[] targets, int offset, float factor, Gradients to);

    /** The sum of the losses alone. */
    double losses(int[] inputs, int[] targets, int offset);

    /**
     * The first operation that gives what is not a number, forward or backward; empty if none does.
     * For people to read, and slow.
     */
    String origin(int[] inputs, int[] targets, int offset, Gradients to);

    @Override
    void close();
  }

  @Override
  void close();
}
