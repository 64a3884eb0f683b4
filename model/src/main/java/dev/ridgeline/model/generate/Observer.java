package dev.ridgeline.model.generate;

/** Is told of every pass through the model, for who measures them. Called between passes. */
public interface Observer {
  /** Sees nothing. */
  Observer BLIND = (_, _, _, _, _) -> {};

  /**
   * A pass is over, the choice of the next tokens included.
   *
   * @param prefill whether it read prompts, or else made one token for each sequence
   * @param sequences that took part
   * @param rows tokens that went through the model
   * @param position tokens of the longest sequence after it
   * @param nanos how long it took
   */
  void passed(boolean prefill, int sequences, int rows, int position, long nanos);
}
