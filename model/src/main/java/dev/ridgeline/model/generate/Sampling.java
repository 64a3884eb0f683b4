package dev.ridgeline.model.generate;

import dev.ridgeline.model.shape.ModelException;
import java.util.List;

/**
 * How the next token is chosen, and when a text ends.
 *
 * <p>What stays in the draw: the {@code topK} likeliest tokens; of these the fewest that have
 * {@code topP} of the probability; of these those at least {@code minP} times as likely as the
 * first. Then the temperature sharpens or flattens what is left. A temperature of 0 takes the
 * likeliest token.
 *
 * @param maxTokens generated at most, 0 for as many as the context holds
 * @param temperature 0 for always the likeliest, 1 as the model was trained, more for more surprise
 * @param topK 0 for no limit
 * @param topP 1 for no limit
 * @param minP 0 for no limit
 * @param repeatPenalty what the scores of recent tokens are divided by (if below 0: multiplied); 1
 *     for none
 * @param repeatLast how many tokens are recent
 * @param seed the same seed, prompt and model give the same text, alone or in a batch
 * @param stop strings that end a text; they are no part of it
 */
public record Sampling(
    int maxTokens,
    float temperature,
    int topK,
    float topP,
    float minP,
    float repeatPenalty,
    int repeatLast,
    long seed,
    List<String> stop) {

  public static final Sampling DEFAULT =
      new Sampling(256, 0.8f, 40, 0.95f, 0.05f, 1, 64, 1, List.of());

  /** Always the likeliest token. */
  public static final Sampling GREEDY = DEFAULT.withTemperature(0);

  public Sampling {
    if (maxTokens < 0) throw new ModelException("at most %d tokens".formatted(maxTokens));
    in("temperature", temperature, 0, 100);
    if (topK < 0) throw new ModelException("top-k %d: at least 1, 0 for all".formatted(topK));
    in("top-p", topP, 0, 1);
    if (topP == 0) throw new ModelException("top-p 0: nothing would be left, 1 for no limit");
    in("min-p", minP, 0, 1);
    in("repeat penalty", repeatPenalty, 0.01f, 100);
    if (repeatLast < 0) throw new ModelException("the last %d tokens".formatted(repeatLast));
    stop = List.copyOf(stop);
    if (stop.stream().anyMatch(String::isEmpty)) throw new ModelException("an empty stop string");
  }

  private static void in(String what, float value, float least, float most) {
    if (!(value >= least && value <= most)) {
      throw new ModelException("%s %s: %s to %s".formatted(what, value, least, most));
    }
  }

  public Sampling withMaxTokens(int next) {
    return new Sampling(next, temperature, topK, topP, minP, repeatPenalty, repeatLast, seed, stop);
  }

  public Sampling withTemperature(float next) {
    return new Sampling(maxTokens, next, topK, topP, minP, repeatPenalty, repeatLast, seed, stop);
  }

  public Sampling withTopK(int next) {
    return new Sampling(
        maxTokens, temperature, next, topP, minP, repeatPenalty, repeatLast, seed, stop);
  }

  public Sampling withTopP(float next) {
    return new Sampling(
        maxTokens, temperature, topK, next, minP, repeatPenalty, repeatLast, seed, stop);
  }

  public Sampling withMinP(float next) {
    return new Sampling(
        maxTokens, temperature, topK, topP, next, repeatPenalty, repeatLast, seed, stop);
  }

  public Sampling withRepeatPenalty(float next, int last) {
    return new Sampling(maxTokens, temperature, topK, topP, minP, next, last, seed, stop);
  }

  public Sampling withSeed(long next) {
    return new Sampling(
        maxTokens, temperature, topK, topP, minP, repeatPenalty, repeatLast, next, stop);
  }

  public Sampling withStop(List<String> next) {
    return new Sampling(
        maxTokens, temperature, topK, topP, minP, repeatPenalty, repeatLast, seed, next);
  }
}
