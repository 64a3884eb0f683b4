package dev.ridgeline.model.shape;

/**
 * A tensor that a model of some architecture must have.
 *
 * @param name in GGUF
 * @param original the name that the makers of the architecture gave it
 * @param rows outputs of a matrix, entries of a table; 1 for a vector
 * @param columns inputs, or the length of a vector
 */
public record Slot(String name, String original, Kind kind, long rows, long columns) {
  /** What a tensor is for, which decides how it is stored and what random numbers suit it. */
  public enum Kind {
    /** Multiplied with. */
    MATRIX,
    /** A row is looked up for each token. */
    EMBEDDING,
    /** Small tables that are added: positions, types of tokens. */
    TABLE,
    BIAS,
    NORM
  }

  static Slot matrix(String name, String original, long rows, long columns) {
    return new Slot(name, original, Kind.MATRIX, rows, columns);
  }

  static Slot table(Kind kind, String name, String original, long rows, long columns) {
    return new Slot(name, original, kind, rows, columns);
  }

  static Slot vector(Kind kind, String name, String original, long length) {
    return new Slot(name, original, kind, 1, length);
  }

  /** Whether it has one dimension. */
  public boolean vector() {
    return kind == Kind.BIAS || kind == Kind.NORM;
  }

  /** Whether it may be stored in few bits; the rest is small and everything depends on it. */
  public boolean quantizable() {
    return kind == Kind.MATRIX || kind == Kind.EMBEDDING;
  }
}
