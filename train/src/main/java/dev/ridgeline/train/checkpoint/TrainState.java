package dev.ridgeline.train.checkpoint;

import dev.ridgeline.train.data.Position;

/**
 * The state of a training except its tensors.
 *
 * @param step number of steps done
 * @param position which texts come next
 * @param digest identifies the training: configuration and data
 * @param losses of the steps so far
 */
public record TrainState(long step, Position position, String digest, double[] losses) {
  public TrainState {
    if (step < 0) throw new IllegalArgumentException("step " + step);
  }
}
