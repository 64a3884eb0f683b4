package dev.ridgeline.tensor.cpu;

import static dev.ridgeline.tensor.Device.PAGE;

import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Workers;
import java.util.Arrays;

/**
 * Attention over the pages of a cache. A unit of work is a tile of queries of one text for some
 * slices of heads; a slice is heads that share one key head, so that a page is read once for all of
 * them. The scores of a unit stay in the second-level cache of the core that has them.
 *
 * <p>How texts are cut into units depends on the batch and the workers; no result does, because
 * kernels give a row the same bits in any company.
 */
final class CachedAttentionTask extends HeadsTask {
  /** Rows of a slice that kernels rearrange at a time. */
  private static final int MOST_ROWS = 128;

  /** How many of the heads that share a key head are in a slice, at most. */
  private int sliceHeads;

  /** Slices of one key head, and of all. */
  private int parts;

  private int slices;

  // The plan: what each unit is, and the cost of all units before it.
  private int units;
  private int[] unitText = new int[16];
  private int[] unitQuery = new int[16];
  private int[] unitSlice = new int[16];
  private long[] costBefore = new long[17];

  /** Slices in a unit of a text, and queries in a tile of it, by text. */
  private int[] slicesInUnit = new int[0];

  private int[] queriesInTile = new int[0];

  CachedAttentionTask() {
    super("cached attention", LEAST_QUERIES);
  }

  @Override
  void spread(Workers workers) {
    plan(workers.count());
    workers.run(this, units, units == 0 ? 0 : costBefore[units] / units);
  }

  private void plan(int workers) {
    int count = texts.count();
    if (slicesInUnit.length < count) {
      slicesInUnit = new int[count];
      queriesInTile = new int[count];
    }
    // A key head's heads are parted only to fit, or where workers would have nothing to do.
    parts = (shared + LEAST_QUERIES - 1) / LEAST_QUERIES;
    long tiles = cut(count);
    while (tiles * keyHeads * parts < workers && parts < shared) {
      parts = Math.min(shared, 2 * parts);
      tiles = cut(count);
    }
    slices = keyHeads * parts;
    long wanted = workers == 1 ? 1 : (long) workers * UNITS_PER_WORKER;
    int most = (int) Math.clamp(tiles * slices / wanted, 1, slices);
    units = 0;
    for (int t = 0; t < count; t++) {
      int length = texts.length(t);
      int tile = queriesInTile[t];
      long room = BUDGET / ((long) tile * sliceHeads * stride(t, tile));
      int each = (int) Math.clamp(room, 1, most);
      slicesInUnit[t] = each;
      for (int query = 0; query < length; query += tile) {
        int queries = Math.min(tile, length - query);
        long pairs = (long) queries * (texts.past(t) + query + queries - firstKey(t, query));
        for (int slice = 0; slice < slices; slice += each) {
          int heads = Math.min(each, slices - slice) * sliceHeads;
          unit(t, query, slice, pairs * heads * 2 * (keyWidth + valueWidth));
        }
      }
    }
  }

  /** Cuts all texts into tiles, and says how many there are. */
  private long cut(int count) {
    sliceHeads = (shared + parts - 1) / parts;
    parts = (shared + sliceHeads - 1) / sliceHeads;
    long tiles = 0;
    for (int t = 0; t < count; t++) {
      int length = texts.length(t);
      int most = Math.clamp(MOST_ROWS / sliceHeads, 1, length);
      int rows = BUDGET / stride(t, most);
      queriesInTile[t] = Math.clamp(rows / sliceHeads, 1, most);
      tiles += (length + queriesInTile[t] - 1) / queriesInTile[t];
    }
    return tiles;
  }

  private void unit(int text, int query, int slice, long cost) {
    if (units == unitText.length) {
      unitText = Arrays.copyOf(unitText, 2 * units);
      unitQuery = Arrays.copyOf(unitQuery, 2 * units);
      unitSlice = Arrays.copyOf(unitSlice, 2 * units);
      costBefore = Arrays.copyOf(costBefore, 2 * units + 1);
    }
    unitText[units] = text;
    unitQuery[units] = query;
    unitSlice[units] = slice;
    costBefore[units + 1] = costBefore[units] + cost;
    units++;
  }

  @Override
  public int first(int part, int ofParts, int all) {
    if (part == ofParts) return all;
    long target = share(costBefore[all], part, ofParts);
    int at = Arrays.binarySearch(costBefore, 0, all + 1, target);
    return Math.min(at >= 0 ? at : -at - 1, all);
  }

  @Override
  public void run(int worker, int from, int to) {
    for (int unit = from; unit < to; unit++) {
      run(scores(worker), unitText[unit], unitQuery[unit], unitSlice[unit]);
    }
  }

  /** One tile of one text for some slices of heads. */
  private void run(long scores, int text, int query, int sliceFrom) {
    int sliceTo = Math.min(slices, sliceFrom + slicesInUnit[text]);
    int tile = queriesInTile[text];
    int queries = Math.min(tile, texts.length(text) - query);
    int position = texts.past(text) + query;
    int firstPage = firstKey(text, query) / PAGE;
    int tokens = position + queries - firstPage * PAGE;
    int stride = stride(text, tile);
    long sliceBytes = 4L * tile * sliceHeads * stride;
    int row = texts.start(text) + query;
    int[] pages = texts.pages(text);
    long rows = 0;
    for (int slice = sliceFrom; slice < sliceTo; slice++) rows += (long) queries * heads(slice);
    try (var scope = Profiler.scope(SCORES)) {
      scope.work(0, 2 * rows * tokens * keyWidth);
      for (int slice = sliceFrom; slice < sliceTo; slice++) {
        kernels.pageScores(
            q.row(row) + 4L * firstHead(slice) * keyWidth,
            q.stride,
            queries,
            heads(slice),
            k.type(),
            k.address + k.type().bytes((long) slice / parts * keyWidth * PAGE),
            k.type().bytes(k.columns()),
            pages,
            firstPage,
            tokens,
            keyWidth,
            scale,
            scores + (slice - sliceFrom) * sliceBytes,
            stride);
      }
    }
    try (var _ = Profiler.scope(SOFTMAX)) {
      for (int slice = sliceFrom; slice < sliceTo; slice++) {
        int heads = heads(slice);
        for (int head = 0; head < heads; head++) {
          kernels.softmax(
              scores + (slice - sliceFrom) * sliceBytes + 4L * head * stride,
              heads * stride,
              queries,
              tokens,
              position - firstPage * PAGE,
              before,
              0);
        }
      }
    }
    try (var scope = Profiler.scope(MIX)) {
      scope.work(0, 2 * rows * tokens * valueWidth);
      for (int slice = sliceFrom; slice < sliceTo; slice++) {
        kernels.pageMix(
            scores + (slice - sliceFrom) * sliceBytes,
            stride,
            queries,
            heads(slice),
            v.type(),
            v.address + v.type().bytes((long) slice / parts * valueWidth * PAGE),
            v.type().bytes(v.columns()),
            pages,
            firstPage,
            tokens,
            valueWidth,
            out.row(row) + 4L * firstHead(slice) * valueWidth,
            out.stride);
      }
    }
  }

  private int firstHead(int slice) {
    return slice / parts * shared + slice % parts * sliceHeads;
  }

  /** Heads of a slice: the last of a key head may have fewer. */
  private int heads(int slice) {
    return Math.min(sliceHeads, shared - slice % parts * sliceHeads);
  }

  /** The first token that a tile sees: what its first query does. */
  private int firstKey(int text, int query) {
    return Math.max(0, texts.past(text) + query - before);
  }

  /** Numbers from a row of scores to the next: whole pages, for the widest tile of a text. */
  private int stride(int text, int queries) {
    long context = texts.past(text) + texts.length(text);
    // A tile's first page may have up to 31 tokens that it does not see.
    long most = Math.min(context, (long) queries + before + PAGE - 1);
    return (int) ((most + PAGE - 1) / PAGE * PAGE);
  }
}
