package dev.ridgeline.model;

/** How the vectors of a text's tokens become the text's. */
public enum Pooling {
  MEAN,
  FIRST,
  LAST;

  /** As GGUF numbers them. */
  public static Pooling ofCode(int code) {
    return switch (code) {
      case 1 -> MEAN;
      case 2 -> FIRST;
      case 3 -> LAST;
      default -> throw new ModelException("pooling type " + code + " gives no vector per text");
    };
  }
}
