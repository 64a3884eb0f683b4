package dev.ridgeline.train.log;

/** A line of a {@link Journal}. */
public sealed interface Line {
  /** How many steps were done. */
  long step();

  /**
   * A step. What is no number is NaN.
   *
   * @param loss of its texts, in nats a token
   * @param rate of the optimizer
   * @param norm of all gradients together, before clipping
   * @param tokensPerSecond lately
   * @param seconds since training began, those before it was resumed among them
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
   * @param text behind the prompt
   */
  record Sample(long step, String prompt, String text) implements Line {}
}
