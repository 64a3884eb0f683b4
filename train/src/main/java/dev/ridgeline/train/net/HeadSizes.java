package dev.ridgeline.train.net;

import dev.ridgeline.tensor.Heads;

/** The heads of attention, which look back as far as the text goes, and the width of each. */
record HeadSizes(Heads heads, int width) {
  static HeadSizes of(int count, int keyCount, int width, float scale) {
    return new HeadSizes(new Heads(count, keyCount, scale, Heads.ANY, 0), width);
  }

  /** Columns of all queries. */
  int queries() {
    return heads.count() * width;
  }

  /** Columns of all keys. */
  int keys() {
    return heads.keyHeads() * width;
  }
}
