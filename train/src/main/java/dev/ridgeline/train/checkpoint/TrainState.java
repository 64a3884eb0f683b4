package dev.ridgeline.train.checkpoint;

import dev.ridgeline.train.data.Position;
import java.util.Arrays;

/**
 * What a training has reached, beside its tensors.
 *
 * @param step how many steps are done
 * @param position which texts come next
 * @param random states of random numbers, in the trainer's order
 * @param digest what tells other trainings apart: configuration and data
 * @param losses of the steps so far
 */
public record TrainState(
    long step, Position position, long[] random, String digest, double[] losses) {
  public TrainState {
    if (step < 0) throw new IllegalArgumentException("step " + step);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TrainState that
        && step == that.step
        && position.equals(that.position)
        && Arrays.equals(random, that.random)
        && digest.equals(that.digest)
        && Arrays.equals(losses, that.losses);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(step) * 31 + digest.hashCode();
  }

  @Override
  public String toString() {
    return "step %,d, %s, %,d losses, digest %s".formatted(step, position, losses.length, digest);
  }
}
