package dev.ridgeline.model;

import java.nio.file.Path;
import java.util.List;

/**
 * Texts through a lane of the model, as many at a time as it holds; vectors go to where their texts
 * stand.
 *
 * @param dimensions numbers of a vector
 * @param file the model's, for what is wrong with it
 */
record Passes(TextReader reader, int dimensions, Path file) {
  /** One text from beginning to end. */
  void one(Lane lane, List<? extends CharSequence> texts, int index, float[] to) {
    lane.clear();
    int count = reader.read(texts, index, lane);
    lane.add(lane.tokens, count);
    lane.run(to, index * dimensions);
    check(texts.size(), index, index + 1, to);
  }

  /** As many texts at a time as the batch allows and the lane holds. */
  void together(Lane lane, List<? extends CharSequence> texts, int from, int end, float[] to) {
    int done = from;
    lane.clear();
    for (int i = from; i < end; i++) {
      int count = reader.read(texts, i, lane);
      if (!lane.fits(count)) {
        run(lane, texts, done, i, to);
        done = i;
      }
      if (lane.fits(count)) {
        lane.add(lane.tokens, count);
      } else {
        lane.leave(i);
        done = i + 1;
      }
    }
    run(lane, texts, done, end, to);
  }

  /** Runs what is in a lane, if anything, and empties it. */
  private void run(Lane lane, List<? extends CharSequence> texts, int from, int end, float[] to) {
    if (from == end) return;
    lane.run(to, from * dimensions);
    check(texts.size(), from, end, to);
    lane.clear();
  }

  /** Weights that are no numbers, or far too large, must not pass for an answer. */
  private void check(int count, int from, int end, float[] vectors) {
    for (int i = from * dimensions; i < end * dimensions; i++) {
      if (!Float.isFinite(vectors[i])) throw TextException.notFinite(i / dimensions, count, file);
    }
  }
}
