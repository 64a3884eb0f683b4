package dev.ridgeline.model.shape;

/** How the vectors of a text's tokens become the text's, with GGUF's number for it. */
public enum Pooling {
  MEAN(1),
  /** That of the first token, which BERT calls CLS. */
  CLS(2),
  LAST(3);

  private final int code;

  Pooling(int code) {
    this.code = code;
  }

  /** As GGUF numbers it. */
  public int code() {
    return code;
  }

  /** The one that GGUF numbers so. */
  public static Pooling ofCode(int code) {
    for (Pooling pooling : values()) if (pooling.code == code) return pooling;
    throw new ModelException("pooling type " + code + " gives no vector per text");
  }
}
