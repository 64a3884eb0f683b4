package dev.ridgeline.model;

import dev.ridgeline.model.shape.ModelException;
import java.nio.file.Path;

/** Which of several texts cannot be embedded, and why. */
public final class TextException extends ModelException {
  /** What is wrong. */
  public enum Kind {
    /** There is no token in it. */
    EMPTY,

    /** It is no Unicode: half of a surrogate pair stands alone. */
    BROKEN,

    /** There are more tokens in it than the model takes, and it may not be truncated. */
    TOO_LONG,

    /** The model makes no numbers of it. */
    NOT_FINITE
  }

  private final Kind kind;
  private final int index;
  private final String reason;

  /**
   * @param index of the text among those of the call
   * @param count how many there were
   * @param reason what comes behind its name: {@code is empty}
   */
  private TextException(Kind kind, int index, int count, String reason) {
    super((count == 1 ? "the text " : "text %,d ".formatted(index + 1)) + reason);
    this.kind = kind;
    this.index = index;
    this.reason = reason;
  }

  static TextException empty(int index, int count) {
    return new TextException(Kind.EMPTY, index, count, "is empty");
  }

  static TextException broken(int index, int count, int at) {
    String reason = "has half a character, \\uD800 to \\uDFFF, at index %,d".formatted(at);
    return new TextException(Kind.BROKEN, index, count, reason);
  }

  static TextException tooLong(int index, int count, int tokens, int most) {
    String reason = "has %,d tokens, the model takes %,d".formatted(tokens, most);
    return new TextException(Kind.TOO_LONG, index, count, reason);
  }

  static TextException notFinite(int index, int count, Path model) {
    String reason = "has a vector that is not finite: the model's file is damaged: " + model;
    return new TextException(Kind.NOT_FINITE, index, count, reason);
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
