package dev.ridgeline.model;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.OwnKeys;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The lengths that a model's vectors may have: its own, and shorter ones where it was trained so
 * that the first numbers are a vector, too (Matryoshka).
 *
 * @param allowed the longest first
 */
record Lengths(List<Integer> allowed) {
  /** Those that a file says, or else those of its architecture. */
  static Lengths of(Metadata metadata, Encoder encoder) {
    var allowed = new TreeSet<Integer>(Collections.reverseOrder());
    allowed.addAll(encoder.shorter());
    if (metadata.has(OwnKeys.DIMENSIONS)) {
      allowed.clear();
      for (int length : metadata.integers(OwnKeys.DIMENSIONS)) allowed.add(length);
    }
    int width = encoder.shape().width();
    allowed.add(width);
    // The longest first: what is outside of the vector stands before or behind.
    return new Lengths(List.copyOf(allowed.subSet(width, true, 1, true)));
  }

  /**
   * The length of vectors.
   *
   * @param asked 0 for the longest
   * @param model what an error calls it
   */
  int of(int asked, String model) {
    if (asked == 0) return allowed.getFirst();
    if (allowed.contains(asked)) return asked;
    throw new ModelException(
        allowed.size() == 1
            ? "%d dimensions: %s was not trained to be cut, it gives %d"
                .formatted(asked, model, allowed.getFirst())
            : "%d dimensions: %s gives %s"
                .formatted(
                    asked,
                    model,
                    allowed.stream().map(String::valueOf).collect(Collectors.joining(", "))));
  }
}
