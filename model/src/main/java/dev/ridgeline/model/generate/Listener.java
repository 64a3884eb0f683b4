package dev.ridgeline.model.generate;

/** Hears text as it comes. */
@FunctionalInterface
public interface Listener {
  /** Hears nothing and wants all. */
  Listener DEAF = (_, _, _, _) -> true;

  /**
   * More of a text, whole characters, and never the beginning of what may become a stop string.
   *
   * @param prompt which of the prompts, from 0
   * @param text all of it so far; look at it only now
   * @param from where the news begin
   * @param to where they end
   * @return whether more is wanted
   */
  boolean heard(int prompt, CharSequence text, int from, int to);

  /** A text has ended; others of the same call may go on. Prompts that nobody began have none. */
  default void ended(int prompt, Completion completion) {}
}
