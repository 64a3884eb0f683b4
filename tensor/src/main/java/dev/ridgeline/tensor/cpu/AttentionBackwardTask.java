package dev.ridgeline.tensor.cpu;

import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Workers;
import dev.ridgeline.tensor.kernel.AttentionKernels;
import dev.ridgeline.tensor.kernel.GradKernels;

/**
 * The gradient of attention over a ragged batch. A unit of work is one key head of one text, whose
 * gradients nobody else writes; within it heads follow each other, and tiles of queries.
 *
 * <p>Tiles depend on nothing but the length of their text and the window, so that no result depends
 * on the batch or the workers.
 */
final class AttentionBackwardTask implements Workers.Task {
  /** Probabilities and their gradients of a tile: 512 kB, half of a common second-level cache. */
  private static final int BUDGET = 1 << 17;

  /** Fewer than forward: what a tile computes above the diagonal is lost, five times over. */
  private static final int MOST_QUERIES = 32;

  private static final int LEAST_QUERIES = 8;

  /** Rows of probabilities begin at cache lines. */
  private static final int LINE = 32;

  private CpuTensor dq;
  private CpuTensor dk;
  private CpuTensor dv;
  private CpuTensor dOut;
  private CpuTensor q;
  private CpuTensor k;
  private CpuTensor v;
  private Sequences texts;
  private int keyHeads;
  private int shared;
  private int queryWidth;
  private int valueWidth;
  private float scale;
  private int before;
  private int after;
  private CpuTensor workspace;
  private AttentionKernels kernels;
  private GradKernels grad;

  /** What a worker needs for texts of this length, in numbers. */
  static int numbers(int longest) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(BUDGET, 2 * LEAST_QUERIES * line(longest)));
  }

  void run(
      CpuDevice device,
      CpuTensor ofQ,
      CpuTensor ofK,
      CpuTensor ofV,
      CpuTensor ofResult,
      CpuTensor queries,
      CpuTensor keys,
      CpuTensor values,
      Sequences ofTexts,
      int headCount,
      int keyHeadCount,
      float factor,
      int tokensBefore,
      int tokensAfter,
      CpuTensor room) {
    Workers workers = device.workers();
    if (room.capacity() < workers.count() || room.columns() < numbers(ofTexts.longest())) {
      throw new IllegalArgumentException(
          "attention backward: a text of %d tokens and %d workers; %s"
              .formatted(ofTexts.longest(), workers.count(), room));
    }
    kernels = device.kernels().attention();
    grad = device.kernels().grad();
    dq = ofQ;
    dk = ofK;
    dv = ofV;
    dOut = ofResult;
    q = queries;
    k = keys;
    v = values;
    texts = ofTexts;
    keyHeads = keyHeadCount;
    shared = headCount / keyHeadCount;
    queryWidth = queries.columns() / headCount;
    valueWidth = values.columns() / keyHeadCount;
    scale = factor;
    before = tokensBefore;
    after = tokensAfter;
    workspace = room;
    try {
      workers.each(this, Math.multiplyExact(texts.count(), keyHeads));
    } finally {
      dq = null;
      dk = null;
      dv = null;
      dOut = null;
      q = null;
      k = null;
      v = null;
      texts = null;
      workspace = null;
    }
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int unit = from; unit < to; unit++) {
      unit(workspace.row(worker), unit / keyHeads, unit % keyHeads);
    }
  }

  private void unit(long room, int text, int keyHead) {
    int length = texts.length(text);
    int start = texts.start(text);
    for (int r = start; r < start + length; r++) {
      grad.zero(key(dk, r, keyHead), queryWidth);
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
    long query = q.row(start + from) + 4L * head * queryWidth;
    long result = dOut.row(start + from) + 4L * head * valueWidth;
    long key = key(k, firstKey, keyHead);
    long value = value(v, firstKey, keyHead);
    kernels.scores(query, q.stride, queries, key, k.stride, keys, queryWidth, scale, p, stride);
    kernels.softmax(p, stride, queries, keys, from - keyFrom, before, after);
    kernels.scores(result, dOut.stride, queries, value, v.stride, keys, valueWidth, 1, dp, stride);
    kernels.across(
        p,
        stride,
        keys,
        result,
        dOut.stride,
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
        queryWidth,
        dq.row(start + from) + 4L * head * queryWidth,
        dq.stride);
    kernels.across(
        dp,
        stride,
        keys,
        query,
        q.stride,
        queries,
        queryWidth,
        key(dk, firstKey, keyHead),
        dk.stride,
        true);
  }

  private long key(CpuTensor keys, int row, int keyHead) {
    return keys.row(row) + 4L * keyHead * queryWidth;
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

  private static long line(long numbers) {
    return (numbers + LINE - 1) / LINE * LINE;
  }
}
