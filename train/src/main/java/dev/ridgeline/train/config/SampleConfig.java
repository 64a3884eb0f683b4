package dev.ridgeline.train.config;

import dev.ridgeline.model.tokenizer.WholeText;
import dev.ridgeline.train.json.WrongValueException;

/**
 * What the model writes along the way.
 *
 * @param every so many steps, and at the end; 0 for the end alone
 * @param prompt what it goes on from
 * @param tokens that it writes; 0 for no samples
 * @param temperature 0 for the likeliest token each time
 */
public record SampleConfig(int every, String prompt, int tokens, double temperature) {
  public SampleConfig {
    Range.within("every", every, 0, TrainConfig.MOST_STEPS);
    Range.within("tokens", tokens, 0, 100_000);
    Range.within("temperature", temperature, 0, 10);
    Range.written("prompt", prompt);
    if (WholeText.firstHalf(prompt) >= 0) {
      throw new WrongValueException("prompt", "has half a character");
    }
  }
}
