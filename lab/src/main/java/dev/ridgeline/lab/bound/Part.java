package dev.ridgeline.lab.bound;

/** What of an operation is done. */
public enum Part {
  /** Its bytes are loaded and stored, and nothing is computed. */
  READ("read-only"),
  /** The same arithmetic by the same kernel, on data that stays in the nearest cache. */
  COMPUTE("compute-only"),
  /** All of it, as models do it. */
  FULL("full");

  private final String word;

  Part(String word) {
    this.word = word;
  }

  /** As arms and people call it. */
  public String word() {
    return word;
  }
}
