package dev.ridgeline.model;

/** Which of several texts cannot be embedded, and why. */
public final class TextException extends ModelException {
  /** What kind of thing is wrong. */
  public enum Kind {
    /** There is no token in the text. */
    EMPTY,
    /** The model takes fewer tokens; {@link EmbedderOptions#withTruncation} cuts such texts. */
    TOO_LONG,
    /** What came of it are no numbers: the model is damaged. */
    NOT_FINITE
  }

  private final int index;
  private final String reason;
  private final Kind kind;

  /**
   * @param index of the text among those of the call
   * @param count how many there were
   * @param reason what comes behind its name: {@code is empty}
   */
  private TextException(int index, int count, String reason, Kind kind) {
    super((count == 1 ? "the text " : "text %,d ".formatted(index + 1)) + reason);
    this.index = index;
    this.reason = reason;
    this.kind = kind;
  }

  /** There is no token in it. */
  static TextException empty(int index, int count) {
    return new TextException(index, count, "is empty", Kind.EMPTY);
  }

  /** There are more tokens in it than the model takes. */
  static TextException tooLong(int index, int count, int tokens, int most) {
    String reason = "has %,d tokens, the model takes %,d";
    return new TextException(index, count, reason.formatted(tokens, most), Kind.TOO_LONG);
  }

  /** What came of it are no numbers. */
  static TextException notFinite(int index, int count, String model) {
    String reason = "gets a vector that is not finite: the model's file is damaged: " + model;
    return new TextException(index, count, reason, Kind.NOT_FINITE);
  }

  public Kind kind() {
    return kind;
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
