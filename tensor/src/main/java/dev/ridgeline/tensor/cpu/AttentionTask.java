package dev.ridgeline.tensor.cpu;

import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Workers;
import java.util.Arrays;

/**
 * Attention over a ragged batch. A unit of work is a tile of queries of one text for a group of
 * heads, whose scores stay in the second-level cache of the core that has them.
 *
 * <p>Tiles depend on nothing but the length of their text and the window, so that no result depends
 * on the batch or the workers; groups do, but heads know nothing of each other.
 */
final class AttentionTask extends HeadsTask {
  /** What it costs to call three kernels for the queries of a tile, in operations. */
  private static final long CALLS = 3 << 13;

  private static final int MOST_QUERIES = 64;

  /** The most heads in a group. */
  private int mostHeads;

  /** Units and cost of all texts before one. */
  private int[] unitsBefore = new int[0];

  private long[] costBefore = new long[0];

  AttentionTask() {
    super("attention", LEAST_QUERIES);
  }

  @Override
  void spread(Workers workers) {
    plan(workers.count());
    int units = unitsBefore[texts.count()];
    long cost = costBefore[texts.count()];
    workers.run(this, units, units == 0 ? 0 : cost / units);
  }

  private void plan(int workers) {
    int count = texts.count();
    if (unitsBefore.length <= count) {
      unitsBefore = new int[count + 1];
      costBefore = new long[count + 1];
    }
    long tiles = 0;
    for (int t = 0; t < count; t++) tiles += tiles(texts.length(t));
    // Few tiles are shared out by their heads.
    long wanted = workers == 1 ? 1 : (long) workers * UNITS_PER_WORKER;
    long groups = Math.clamp(wanted / Math.max(1, tiles), 1, heads);
    mostHeads = (int) ((heads + groups - 1) / groups);
    for (int t = 0; t < count; t++) {
      int length = texts.length(t);
      unitsBefore[t + 1] = unitsBefore[t] + tiles(length) * groups(length);
      long pairs = (long) length * span(length, queries(length));
      long each = pairs * 2 * (keyWidth + valueWidth) + tiles(length) * CALLS;
      costBefore[t + 1] = costBefore[t] + heads * each;
    }
  }

  @Override
  public int first(int part, int parts, int units) {
    if (part == parts) return units;
    int count = texts.count();
    long target = share(costBefore[count], part, parts);
    int at = Arrays.binarySearch(costBefore, 0, count + 1, target);
    int t = Math.min(at >= 0 ? at : -at - 2, count - 1);
    long into = target - costBefore[t];
    long cost = costBefore[t + 1] - costBefore[t];
    int inText = unitsBefore[t + 1] - unitsBefore[t];
    return unitsBefore[t] + (int) ((double) into / cost * inText);
  }

  @Override
  public void run(int worker, int from, int to) {
    int at = Arrays.binarySearch(unitsBefore, 0, texts.count() + 1, from);
    int t = at >= 0 ? at : -at - 2;
    for (int unit = from; unit < to; unit++) {
      while (unit >= unitsBefore[t + 1]) t++;
      int tiles = tiles(texts.length(t));
      int inText = unit - unitsBefore[t];
      unit(scores(worker), t, inText / tiles, inText % tiles);
    }
  }

  /** One tile of one text for one group of heads. */
  private void unit(long scores, int text, int group, int tile) {
    int length = texts.length(text);
    int start = texts.start(text);
    int perGroup = headsInGroup(length);
    int headFrom = group * perGroup;
    int headTo = Math.min(heads, headFrom + perGroup);
    int tileSize = queries(length);
    int queryFrom = tile * tileSize;
    int queries = Math.min(tileSize, length - queryFrom);
    int keyFrom = Math.max(0, queryFrom - before);
    int keyTo = (int) Math.min(length, (long) queryFrom + queries + after);
    int keys = keyTo - keyFrom;
    int stride = (int) line(span(length, tileSize));
    long headBytes = 4L * tileSize * stride;
    long products = 2L * (headTo - headFrom) * queries * keys;
    try (var scope = Profiler.scope(SCORES)) {
      scope.work(0, products * keyWidth);
      for (int h = headFrom; h < headTo; h++) {
        kernels.scores(
            q.row(start + queryFrom) + 4L * h * keyWidth,
            q.stride,
            queries,
            k.row(start + keyFrom) + 4L * (h / shared) * keyWidth,
            k.stride,
            keys,
            keyWidth,
            scale,
            scores + (h - headFrom) * headBytes,
            stride);
      }
    }
    try (var _ = Profiler.scope(SOFTMAX)) {
      for (int h = headFrom; h < headTo; h++) {
        long head = scores + (h - headFrom) * headBytes;
        kernels.softmax(head, stride, queries, keys, queryFrom - keyFrom, before, after);
      }
    }
    try (var scope = Profiler.scope(MIX)) {
      scope.work(0, products * valueWidth);
      for (int h = headFrom; h < headTo; h++) {
        kernels.mix(
            scores + (h - headFrom) * headBytes,
            stride,
            queries,
            v.row(start + keyFrom) + 4L * (h / shared) * valueWidth,
            v.stride,
            keys,
            valueWidth,
            out.row(start + queryFrom) + 4L * h * valueWidth,
            out.stride);
      }
    }
  }

  // How a text is cut.

  /** Queries in a tile. */
  private int queries(int length) {
    int most = Math.min(length, MOST_QUERIES);
    int span = (int) line(span(length, most));
    if ((long) most * span <= BUDGET) return most;
    return Math.max(LEAST_QUERIES, BUDGET / span / LEAST_QUERIES * LEAST_QUERIES);
  }

  /** The most keys that a tile of queries can see. */
  private int span(int length, int queries) {
    return (int) Math.min(length, (long) queries + before + after);
  }

  private int tiles(int length) {
    int queries = queries(length);
    return (length + queries - 1) / queries;
  }

  private int headsInGroup(int length) {
    int queries = queries(length);
    long each = queries * line(span(length, queries));
    return (int) Math.clamp(BUDGET / each, 1, mostHeads);
  }

  private int groups(int length) {
    int each = headsInGroup(length);
    return (heads + each - 1) / each;
  }
}
