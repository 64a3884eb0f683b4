package dev.ridgeline.model.shape;

/**
 * A tensor that a model of some architecture must have.
 *
 * @param name in GGUF
 * @param original the name that the makers of the architecture gave it
 * @param rows outputs of a matrix, entries of a table; 1 for a vector
 * @param columns inputs, or the length of a vector
 * @param change what its numbers go through on the way from the makers' file into GGUF
 */
public record Slot(
    String name, String original, Kind kind, long rows, long columns, Change change) {
  /** What a tensor is for, which decides how it is stored and what random numbers suit it. */
  public enum Kind {
    /** Multiplied with. */
    MATRIX,
    /** A row is looked up for each token. */
    EMBEDDING,
    /** Small tables that are added: positions, types of tokens. */
    TABLE,
    BIAS,
    NORM,
    /** What the frequencies of rope are divided by. */
    FACTORS
  }

  /** How GGUF's numbers differ from those of the model's makers. */
  public sealed interface Change {
    /** They do not. */
    Change NONE = new None();

    /** Nothing changes. */
    record None() implements Change {}

    /** The original has a row per input instead of a row per output. */
    record Transposed() implements Change {}

    /**
     * The original's heads have the halves of their pairs in the first and the second half of their
     * rows; GGUF has them side by side: row {@code h·w + 2j + i} was {@code h·w + i·w/2 + j}.
     */
    record Interleaved(int heads) implements Change {}

    /** The original is 1 less, so that its training could begin at 0. */
    record PlusOne() implements Change {}
  }

  public Slot(String name, String original, Kind kind, long rows, long columns) {
    this(name, original, kind, rows, columns, Change.NONE);
  }

  /** Whether it has one dimension. */
  public boolean vector() {
    return kind == Kind.BIAS || kind == Kind.NORM || kind == Kind.FACTORS;
  }

  /** Whether it may be stored in few bits; the rest is small and everything depends on it. */
  public boolean quantizable() {
    return kind == Kind.MATRIX || kind == Kind.EMBEDDING;
  }
}
