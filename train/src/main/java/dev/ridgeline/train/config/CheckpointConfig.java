package dev.ridgeline.train.config;

/**
 * When all that training needs to go on is kept.
 *
 * @param every so many steps, and at the end; 0 for the end alone
 * @param keep how many of the last ones stay
 */
public record CheckpointConfig(int every, int keep) {
  public CheckpointConfig {
    Range.within("every", every, 0, TrainConfig.MOST_STEPS);
    Range.within("keep", keep, 1, 1_000);
  }
}
