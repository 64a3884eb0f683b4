package dev.ridgeline.model.generate;

/**
 * What came of a prompt.
 *
 * @param text without the prompt, the stop string and tokens that are no text
 * @param ids the tokens that were generated, that which ended the text included
 * @param promptTokens tokens of the prompt
 * @param sharedTokens how many of them were in the cache already
 */
public record Completion(
    String text, int[] ids, int promptTokens, int sharedTokens, Finish finish) {
  /** The text, and how it came about. */
  @Override
  public String toString() {
    return "'%s' (%d tokens, %s)".formatted(text, ids.length, finish.words());
  }
}
