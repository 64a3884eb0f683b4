package dev.ridgeline.train.net;

import dev.ridgeline.tensor.Tensor;
import java.util.List;

/**
 * A tensor that is learnt.
 *
 * @param index among all of a model, in the order of the paper
 * @param name of what it is in a file, or of the first of several whose rows lie one behind the
 *     other in it
 * @param from its first number among all
 * @param weight its numbers: rows, or a vector
 * @param forward packed for products with rows; null where it takes no part in one
 * @param backward the transpose, packed, for the gradient of those rows
 */
public record Parameter(
    int index,
    String name,
    Kind kind,
    int rows,
    int columns,
    List<Part> parts,
    long from,
    Tensor weight,
    Tensor forward,
    Tensor backward) {
  /** What a tensor is for. */
  public enum Kind {
    /** Multiplied with. */
    MATRIX,
    /** The same, where what it gives is added to what went around it. */
    RESIDUAL,
    /** Looked up. */
    TABLE,
    /** Of a norm: begins with 1. */
    NORM,
    /** Begins with 0. */
    BIAS;

    /** Whether weights are pulled towards zero: not what has one dimension. */
    public boolean decays() {
      return this == MATRIX || this == RESIDUAL || this == TABLE;
    }
  }

  /** Some rows of it, under the name that a file has for them. */
  public record Part(String name, int from, int rows) {}

  /** How many numbers it has. */
  public long count() {
    return (long) rows * columns;
  }
}
