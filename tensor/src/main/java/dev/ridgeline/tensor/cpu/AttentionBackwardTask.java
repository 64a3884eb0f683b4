package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.GradKernels;

/**
 * The gradient of attention over a ragged batch. A unit of work is one key head of one text, whose
 * gradients nobody else writes; within it heads follow each other, and tiles of queries.
 *
 * <p>Tiles depend on nothing but the length of their text and the window, so that no result depends
 * on the batch or the workers.
 */
final class AttentionBackwardTask extends HeadsTask {
  /** Fewer than forward: what a tile computes above the diagonal is lost, five times over. */
  private static final int MOST_QUERIES = 32;

  /** Probabilities of a tile, and their gradients. */
  private static final int ROWS = 2 * LEAST_QUERIES;

  private CpuTensor dq;
  private CpuTensor dk;
  private CpuTensor dv;
  private GradKernels grad;

  AttentionBackwardTask() {
    super("attention backward", ROWS);
  }

  /** What a worker needs for texts of this length, in numbers. */
  static int numbers(int longest) {
    return numbers(ROWS, longest);
  }

  /** Says where gradients go. */
  void gradients(GradKernels kernels, Tensor ofQ, Tensor ofK, Tensor ofV) {
    grad = kernels;
    dq = (CpuTensor) ofQ;
    dk = (CpuTensor) ofK;
    dv = (CpuTensor) ofV;
  }

  @Override
  void spread(Workers workers) {
    workers.each(this, Math.multiplyExact(texts.count(), keyHeads));
  }

  @Override
  void clear() {
    super.clear();
    gradients(null, null, null, null);
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int unit = from; unit < to; unit++) {
      unit(scores(worker), unit / keyHeads, unit % keyHeads);
    }
  }

  private void unit(long room, int text, int keyHead) {
    int length = texts.length(text);
    int start = texts.start(text);
    for (int r = start; r < start + length; r++) {
      grad.zero(key(dk, r, keyHead), keyWidth);
      grad.zero(value(dv, r, keyHead), valueWidth);
    }
    int queries = queries(length);
    for (int h = keyHead * shared; h < (keyHead + 1) * shared; h++) {
      for (int from = 0; from < length; from += queries) {
        tile(room, start, length, keyHead, h, from, Math.min(queries, length - from));
      }
    }
  }

  /** Some queries of one head. */
  private void tile(long p, int start, int length, int keyHead, int head, int from, int queries) {
    int keyFrom = Math.max(0, from - before);
    int keyTo = (int) Math.min(length, (long) from + queries + after);
    int keys = keyTo - keyFrom;
    int stride = (int) line(keys);
    long dp = p + 4L * queries * stride;
    int firstKey = start + keyFrom;
    long query = q.row(start + from) + 4L * head * keyWidth;
    long result = out.row(start + from) + 4L * head * valueWidth;
    long key = key(k, firstKey, keyHead);
    long value = value(v, firstKey, keyHead);
    kernels.scores(query, q.stride, queries, key, k.stride, keys, keyWidth, scale, p, stride);
    kernels.softmax(p, stride, queries, keys, from - keyFrom, before, after);
    kernels.scores(result, out.stride, queries, value, v.stride, keys, valueWidth, 1, dp, stride);
    kernels.across(
        p,
        stride,
        keys,
        result,
        out.stride,
        queries,
        valueWidth,
        value(dv, firstKey, keyHead),
        dv.stride,
        true);
    grad.softmax(dp, p, stride, queries, keys, scale);
    kernels.mix(
        dp,
        stride,
        queries,
        key,
        k.stride,
        keys,
        keyWidth,
        dq.row(start + from) + 4L * head * keyWidth,
        dq.stride);
    kernels.across(
        dp,
        stride,
        keys,
        query,
        q.stride,
        queries,
        keyWidth,
        key(dk, firstKey, keyHead),
        dk.stride,
        true);
  }

  private long key(CpuTensor keys, int row, int keyHead) {
    return keys.row(row) + 4L * keyHead * keyWidth;
  }

  private long value(CpuTensor values, int row, int keyHead) {
    return values.row(row) + 4L * keyHead * valueWidth;
  }

  /** Queries in a tile. */
  private int queries(int length) {
    long span = line(Math.min(length, (long) MOST_QUERIES + before + after));
    long fit = BUDGET / 2 / span / LEAST_QUERIES * LEAST_QUERIES;
    return (int) Math.clamp(fit, LEAST_QUERIES, MOST_QUERIES);
  }
}
