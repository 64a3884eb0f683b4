package dev.ridgeline.tensor.cpu;

import static dev.ridgeline.tensor.Device.PAGE;
import static dev.ridgeline.tensor.Memory.ALL;

import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Writes rows of keys and values into their pages. */
final class StoreTask implements Workers.Task {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;

  private CpuTensor keys;
  private CpuTensor values;
  private CpuTensor k;
  private CpuTensor v;
  private Sequences texts;
  private int heads;

  void run(
      CpuDevice device,
      Tensor keyPages,
      Tensor valuePages,
      Tensor newKeys,
      Tensor newValues,
      Sequences ofTexts,
      int keyHeads) {
    keys = (CpuTensor) keyPages;
    values = (CpuTensor) valuePages;
    k = (CpuTensor) newKeys;
    v = (CpuTensor) newValues;
    texts = ofTexts;
    heads = keyHeads;
    try {
      // Keys go to a line of the cache each.
      device.workers().run(this, texts.rows(), 16L * k.columns() + 4L * v.columns());
    } finally {
      keys = null;
      values = null;
      k = null;
      v = null;
      texts = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    int text = texts.textOf(from);
    for (int row = from; row < to; row++) {
      while (row >= texts.start(text + 1)) text++;
      int position = texts.past(text) + row - texts.start(text);
      int page = texts.pages(text)[position / PAGE];
      keys(k.row(row), page, position % PAGE);
      values(v.row(row), page, position % PAGE);
    }
  }

  /** All heads of a token: a page is {@code [head][width][32]}, so a number every 32. */
  private void keys(long row, int page, int token) {
    long first = (long) page * keys.columns() + token;
    int count = k.columns();
    if (keys.type() == TensorType.F32) {
      long to = keys.address + 4 * first;
      for (int i = 0; i < count; i++)
        ALL.set(FLOAT, to + 4L * PAGE * i, ALL.get(FLOAT, row + 4L * i));
    } else {
      long to = keys.address + 2 * first;
      for (int i = 0; i < count; i++) {
        ALL.set(SHORT, to + 2L * PAGE * i, Float.floatToFloat16(ALL.get(FLOAT, row + 4L * i)));
      }
    }
  }

  /** The heads of a token lie 32 tokens apart. */
  private void values(long row, int page, int token) {
    int width = v.columns() / heads;
    for (int head = 0; head < heads; head++) {
      long from = row + 4L * width * head;
      long first = (long) page * values.columns() + ((long) PAGE * head + token) * width;
      if (values.type() == TensorType.F32) {
        MemorySegment.copy(ALL, from, ALL, values.address + 4 * first, 4L * width);
      } else {
        long to = values.address + 2 * first;
        for (int i = 0; i < width; i++) {
          ALL.set(SHORT, to + 2L * i, Float.floatToFloat16(ALL.get(FLOAT, from + 4L * i)));
        }
      }
    }
  }
}
