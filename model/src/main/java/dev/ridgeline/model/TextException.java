package dev.ridgeline.model;

/** Which of several texts cannot be embedded, and why. */
public final class TextException extends ModelException {
  private final int index;
  private final String reason;
  private final boolean empty;

  /**
   * @param index of the text among those of the call
   * @param count how many there were
   * @param reason what comes behind its name: {@code is empty}
   */
  private TextException(int index, int count, String reason, boolean empty) {
    super((count == 1 ? "the text " : "text %,d ".formatted(index + 1)) + reason);
    this.index = index;
    this.reason = reason;
    this.empty = empty;
  }

  /** There is no token in it. */
  static TextException empty(int index, int count) {
    return new TextException(index, count, "is empty", true);
  }

  /** There are more tokens in it than the model takes. */
  static TextException tooLong(int index, int count, int tokens, int most) {
    String reason = "has %,d tokens, the model takes %,d; --truncate cuts it";
    return new TextException(index, count, reason.formatted(tokens, most), false);
  }

  /** Whether there was no token in it. */
  public boolean isEmpty() {
    return empty;
  }

  /** Which one, among those of the call. */
  public int index() {
    return index;
  }

  /** What comes behind the text's name: {@code is empty}. */
  public String reason() {
    return reason;
  }
}
