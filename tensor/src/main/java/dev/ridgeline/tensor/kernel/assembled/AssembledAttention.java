package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.AttentionKernels;
import dev.ridgeline.tensor.kernel.Room;
import dev.ridgeline.tensor.kernel.assembled.Transposer.Kind;

/**
 * Attention: what a query looks for among keys, and what it takes of values, are products with
 * weights that lie in rows or in pages of a cache. Keys in rows are turned first.
 */
final class AssembledAttention implements AttentionKernels {
  private static final int LINE = 4 * PANEL;
  private static final int LANES = 16;

  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

  /** What a thread rearranges rows in. */
  private static final class Scratch {
    /** Keys as panels. */
    final Room panels = new Room();

    /** Queries of all heads that share a key head, scaled, side by side. */
    final Room scaled = new Room();

    /** What they took of values, the same way. */
    final Room mixed = new Room();
  }

  /** Does what is not assembled. */
  private final AttentionKernels rest;

  private final FloatMultiplier floats;
  private final FloatMultiplier halves;
  private final Function transpose;
  private final Function scale;
  private final Function softmax;

  /**
   * @param floats multiplies with weights in f32
   * @param halves the same in f16
   * @param bits of registers
   */
  AssembledAttention(
      AttentionKernels rest, FloatMultiplier floats, FloatMultiplier halves, int bits) {
    this.rest = rest;
    this.floats = floats;
    this.halves = halves;
    String word = Registers.word(bits);
    transpose = Code.function("keys-" + word, new Transposer(Kind.KEYS, bits));
    scale = Code.function("scale-rows-" + word, new RowScaler(bits));
    softmax = Code.function("softmax-" + word, new RowSoftmax(bits));
  }

  @Override
  public void scores(
      long q,
      int qStride,
      int queries,
      long k,
      int kStride,
      int keys,
      int width,
      float factor,
      long out,
      int outStride) {
    int count = (keys + PANEL - 1) / PANEL;
    long panelBytes = (long) LINE * width;
    // The last panel has room up to a multiple of 16 lines; the others have the next one's.
    long at = OWN.get().panels.of(count * panelBytes + (long) LINE * LANES);
    for (int panel = 0; panel < count; panel++) {
      transpose.call(
          k + 4L * kStride * PANEL * panel,
          4L * kStride,
          width,
          at + panel * panelBytes,
          Float.floatToRawIntBits(factor),
          Math.min(PANEL, keys - panel * PANEL));
    }
    floats.multiply(
        at, LINE, panelBytes, keys, width, q, 4L * qStride, queries, count, 0, out, 4L * outStride);
  }

  @Override
  public void mix(
      long p,
      int pStride,
      int queries,
      long v,
      int vStride,
      int keys,
      int width,
      long out,
      int outStride) {
    floats.multiply(
        v,
        4L * vStride,
        LINE,
        width,
        keys,
        p,
        4L * pStride,
        queries,
        (width + PANEL - 1) / PANEL,
        0,
        out,
        4L * outStride);
  }

  @Override
  public void across(
      long a,
      int aStride,
      int columns,
      long b,
      int bStride,
      int rows,
      int width,
      long out,
      int outStride,
      boolean add) {
    floats.across(
        b,
        4L * bStride,
        width,
        rows,
        a,
        4L * aStride,
        columns,
        add ? FloatProduct.ADD : 0,
        out,
        4L * outStride);
  }

  @Override
  public void pageScores(
      long q,
      int qStride,
      int queries,
      int heads,
      TensorType type,
      long keys,
      long pageBytes,
      int[] pages,
      int firstPage,
      int tokens,
      int width,
      float scale,
      long out,
      int outStride) {
    if (!assembled(type)) {
      rest.pageScores(
          q, qStride, queries, heads, type, keys, pageBytes, pages, firstPage, tokens, width, scale,
          out, outStride);
      return;
    }
    FloatMultiplier multiplier = type == TensorType.F16 ? halves : floats;
    long rowBytes = 4L * heads * width;
    long scaled = OWN.get().scaled.of(queries * rowBytes);
    scale(q, 4L * qStride, queries, (long) heads * width, scaled, rowBytes, scale);
    int count = (tokens + PANEL - 1) / PANEL;
    for (int first = 0, end; first < count; first = end) {
      end = endOfRun(pages, firstPage + first, firstPage + count) - firstPage;
      multiplier.multiply(
          keys + pageBytes * pages[firstPage + first],
          type.bytes(PANEL),
          pageBytes,
          (end - first) * PANEL,
          width,
          scaled,
          4L * width,
          queries * heads,
          end - first,
          0,
          out + (long) LINE * first,
          4L * outStride);
    }
  }

  private static boolean assembled(TensorType type) {
    return type == TensorType.F32 || type == TensorType.F16;
  }

  /** Pages that follow each other in memory are as many panels. */
  private static int endOfRun(int[] pages, int from, int to) {
    int end = from + 1;
    while (end < to && pages[end] == pages[end - 1] + 1) end++;
    return end;
  }

  @Override
  public void pageMix(
      long p,
      int pStride,
      int queries,
      int heads,
      TensorType type,
      long values,
      long pageBytes,
      int[] pages,
      int firstPage,
      int tokens,
      int width,
      long out,
      int outStride) {
    if (!assembled(type)) {
      rest.pageMix(
          p, pStride, queries, heads, type, values, pageBytes, pages, firstPage, tokens, width, out,
          outStride);
      return;
    }
    FloatMultiplier multiplier = type == TensorType.F16 ? halves : floats;
    long rowBytes = 4L * heads * width;
    // Heads of a query lie side by side; several queries go by way of memory where all do.
    boolean aside = queries > 1 && outStride != heads * width;
    long to = aside ? OWN.get().mixed.of(queries * rowBytes) : out;
    for (int first = 0; first < tokens; first += PANEL) {
      multiplier.multiply(
          values + pageBytes * pages[firstPage + first / PANEL],
          type.bytes(width),
          type.bytes(PANEL),
          width,
          Math.min(PANEL, tokens - first),
          p + 4L * first,
          4L * pStride,
          queries * heads,
          (width + PANEL - 1) / PANEL,
          first == 0 ? 0 : FloatProduct.ADD,
          to,
          4L * width);
    }
    if (aside) scale(to, rowBytes, queries, (long) heads * width, out, 4L * outStride, 1);
  }

  private void scale(
      long from, long stride, long rows, long count, long to, long toStride, float factor) {
    scale.call(from, stride, rows, count, to, toStride, Float.floatToRawIntBits(factor), 0);
  }

  @Override
  public void softmax(
      long x, int stride, int rows, int keys, int firstQuery, int before, int after) {
    softmax.call(
        x, 4L * stride, rows, keys, (long) firstQuery - before, (long) firstQuery + after + 1);
  }
}
