package dev.ridgeline.cli.embed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Texts in memory, which still know where they came from. */
final class HeldTexts extends Texts {
  private final Texts origin;
  private final List<String> texts;
  private final List<Long> indices;

  /**
   * @param indices of the texts in their origin
   */
  HeldTexts(Texts origin, List<String> texts, List<Long> indices) {
    super(false);
    this.origin = origin;
    this.texts = texts;
    this.indices = indices;
  }

  /** The text of this index in its origin. */
  String text(long index) {
    return texts.get(Collections.binarySearch(indices, index));
  }

  /** The same from the beginning. */
  HeldTexts again() {
    return new HeldTexts(origin, texts, indices);
  }

  /** The same behind prompts, that of the first and that of the others. */
  HeldTexts behind(String first, String others) {
    List<String> prompted = new ArrayList<>();
    for (String text : texts) prompted.add((prompted.isEmpty() ? first : others) + text);
    return new HeldTexts(origin, prompted, indices);
  }

  @Override
  String read() {
    return count() < texts.size() ? texts.get((int) count()) : null;
  }

  @Override
  long index() {
    return indices.get((int) count() - 1);
  }

  @Override
  void skip(long index) {
    origin.skip(index);
  }

  @Override
  String place(long index) {
    return origin.place(index);
  }

  @Override
  double part() {
    return (double) count() / texts.size();
  }
}
