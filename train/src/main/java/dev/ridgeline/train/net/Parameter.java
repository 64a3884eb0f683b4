package dev.ridgeline.train.net;

import dev.ridgeline.tensor.Tensor;
import java.util.List;

/**
 * A tensor that is trained.
 *
 * @param index among all of a model, in the order of its file
 * @param parts the tensors of a file whose rows it has, one after the other
 * @param from its first number among all
 * @param weight its numbers: rows, or a vector
 * @param forward packed for products with rows; null if it takes no part in one
 * @param backward the transpose, packed, for the gradient of those rows
 */
public record Parameter(
    int index,
    Kind kind,
    List<Part> parts,
    long from,
    Tensor weight,
    Tensor forward,
    Tensor backward) {
  /** What a tensor is for. */
  public enum Kind {
    MATRIX,
    /** A matrix whose output is added to the residual stream. */
    RESIDUAL,
    /** A table of rows that are looked up. */
    TABLE,
    /** The weight of a norm: starts at 1. */
    NORM,
    /** Starts at 0. */
    BIAS;

    /** Whether weight decay applies: not to vectors. */
    public boolean decays() {
      return this == MATRIX || this == RESIDUAL || this == TABLE;
    }
  }

  /** Some of its rows, under the name that a file has for them. */
  public record Part(String name, int from, int rows) {}

  /** The name of its first part. */
  public String name() {
    return parts.getFirst().name();
  }

  public int rows() {
    return parts.getLast().from() + parts.getLast().rows();
  }

  public int columns() {
    return weight.columns();
  }

  /** How many numbers it has. */
  public long count() {
    return (long) rows() * columns();
  }
}
