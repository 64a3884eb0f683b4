package dev.ridgeline.train.log;

/** A line of a {@link Journal}. */
public sealed interface Line {
  /** Number of steps done. */
  long step();

  /**
   * A step. A figure that is not finite is NaN.
   *
   * @param loss of its texts, in nats per token
   * @param rate of the optimizer
   * @param norm of all gradients together, before clipping
   * @param tokensPerSecond a moving average
   * @param seconds since training started, with those before it was resumed
   * @param memory bytes that the process owns outside the heap and in it
   */
  record Step(
      long step,
      double loss,
      double rate,
      double norm,
      double tokensPerSecond,
      double seconds,
      long memory)
      implements Line {}

  /**
   * The loss on texts that are not trained on.
   *
   * @param tokens that were predicted
   * @param seconds that it took
   */
  record Evaluation(long step, double loss, long tokens, double seconds) implements Line {}

  /**
   * What the model wrote.
   *
   * @param text after the prompt
   */
  record Sample(long step, String prompt, String text) implements Line {}
}
