package dev.ridgeline.model.imports;

/** How the vectors of a text's tokens become one, with GGUF's number for it. */
public enum Pooling {
  MEAN(1),
  CLS(2),
  LAST(3);

  private final int code;

  Pooling(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
