package dev.ridgeline.train.config;

import dev.ridgeline.train.Schedule;
import dev.ridgeline.train.json.WrongValueException;

/**
 * AdamW with decoupled decay, and its rate.
 *
 * @param rate after the warm-up
 * @param minimumRate the last rate, unless it is constant
 * @param warmup steps
 * @param decay of matrices, per step and rate
 * @param clip the greatest norm of all gradients together; 0 for any
 */
public record OptimizerConfig(
    double rate,
    double minimumRate,
    Schedule.Kind schedule,
    int warmup,
    double beta1,
    double beta2,
    double epsilon,
    double decay,
    double clip) {
  /** A smaller one vanishes in f32 next to a root of squares. */
  private static final double LEAST_EPSILON = 1e-30;

  public OptimizerConfig {
    Range.above("rate", rate, 0, 1);
    Range.within("minimumRate", minimumRate, 0, 1);
    Range.within("warmup", warmup, 0, TrainConfig.MOST_STEPS);
    Range.below("beta1", beta1, 0, 1);
    Range.below("beta2", beta2, 0, 1);
    Range.within("epsilon", epsilon, LEAST_EPSILON, 1);
    Range.below("decay", decay, 0, 1);
    Range.within("clip", clip, 0, 1e9);
    if (minimumRate > rate) {
      throw new WrongValueException(
          "minimumRate", "%s is above the rate of %s".formatted(minimumRate, rate));
    }
  }

  /** The rate of each of so many steps. */
  public Schedule schedule(long steps) {
    return new Schedule(schedule, rate, minimumRate, warmup, steps);
  }
}
