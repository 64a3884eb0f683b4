package dev.ridgeline.train.config;

/**
 * When the loss on texts that are not trained on is measured.
 *
 * @param every so many steps, and at the end; 0 for the end alone
 */
public record EvaluateConfig(int every) {
  public EvaluateConfig {
    Range.within("every", every, 0, TrainConfig.MOST_STEPS);
  }
}
