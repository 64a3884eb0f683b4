package dev.ridgeline.bench.shapes;

import static dev.ridgeline.bench.shapes.Stage.get;
import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.bench.shapes.Stage.Kind;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import java.lang.foreign.MemorySegment;

/** Scores, softmax and mix of one head, over rows and over pages of a cache. */
final class AttentionCheck {
  private static final int[] WIDTHS = {1, 2, 5, 8, 16, 17, 31, 32, 33, 40, 64, 80, 96, 128};
  private static final int MOST_PAGES = 9;
  private static final int LOOKS = 24;
  private static final float SCALE = 0.3f;
  private static final Kernels SCALAR = new ScalarKernels();

  private final Stage stage;
  private final Kernels kernels;

  AttentionCheck(Stage stage) {
    this.stage = stage;
    this.kernels = stage.kernels;
  }

  void run() {
    switch (stage.random.nextInt(3)) {
      case 0 -> rows();
      case 1 -> pages();
      default -> softmax();
    }
  }

  /** One of the numbers that a result is the sum of. */
  private interface Term {
    double of(int row, int column, int index);
  }

  /** Some results must be sums of so many terms, as near as float accumulation has them. */
  private void look(
      String what, long out, int rows, int stride, int columns, int count, Term term) {
    for (int look = 0; look < LOOKS; look++) {
      int r = look == 0 ? rows - 1 : stage.random.nextInt(rows);
      int c = look == 0 ? columns - 1 : stage.random.nextInt(columns);
      double sum = 0;
      double size = 0;
      for (int i = 0; i < count; i++) {
        double one = term.of(r, c, i);
        sum += one;
        size += Math.abs(one);
      }
      double bound = Math.scalb(4 + Math.sqrt(count), -24) * size + count * Float.MIN_VALUE;
      Stage.near(get(out, (long) r * stride + c), sum, bound, what + " at " + r + ", " + c);
    }
  }

  private void rows() {
    int width = WIDTHS[stage.random.nextInt(WIDTHS.length)];
    int queries = 1 + stage.random.nextInt(30);
    int keys = 1 + stage.random.nextInt(stage.percent(3) ? 1200 : 100);
    int stride = (1 + stage.random.nextInt(3)) * width + stage.random.nextInt(4);
    int line = keys + stage.random.nextInt(5);
    long q = stage.filled(Kind.NORMAL, queries, stride, width);
    long k = stage.filled(Kind.NORMAL, keys, stride, width);
    String what = ", %d queries, %d keys of %d (stride %d)".formatted(queries, keys, width, stride);
    long out = stage.room(queries, line, keys);
    kernels.attention().scores(q, stride, queries, k, stride, keys, width, SCALE, out, line);
    Term score =
        (r, c, i) -> (double) SCALE * get(q, (long) r * stride + i) * get(k, (long) c * stride + i);
    look("scores" + what, out, queries, line, keys, width, score);
    Stage.gaps(out, queries, line, keys, "scores" + what);
    int one = stage.random.nextInt(queries);
    long alone = stage.room(1, line, keys);
    kernels
        .attention()
        .scores(q + 4L * stride * one, stride, 1, k, stride, keys, width, SCALE, alone, line);
    Stage.same(alone, out + 4L * line * one, 1, line, keys, "scores of one alone" + what);

    long p = stage.filled(Kind.NORMAL, queries, line, keys);
    long mixed = stage.room(queries, stride, width);
    kernels.attention().mix(p, line, queries, k, stride, keys, width, mixed, stride);
    Term part = (r, c, i) -> (double) get(p, (long) r * line + i) * get(k, (long) i * stride + c);
    look("mix" + what, mixed, queries, stride, width, keys, part);
    Stage.gaps(mixed, queries, stride, width, "mix" + what);
    long own = stage.room(1, stride, width);
    kernels.attention().mix(p + 4L * line * one, line, 1, k, stride, keys, width, own, stride);
    Stage.same(own, mixed + 4L * stride * one, 1, stride, width, "mix of one alone" + what);
  }

  private void pages() {
    TensorType type = stage.random.nextBoolean() ? TensorType.F32 : TensorType.F16;
    int width = WIDTHS[stage.random.nextInt(WIDTHS.length)];
    int queries = 1 + stage.random.nextInt(stage.percent(50) ? 1 : 12);
    int heads = 1 + stage.random.nextInt(8);
    int count = 1 + stage.random.nextInt(5);
    int tokens = Device.PAGE * (count - 1) + 1 + stage.random.nextInt(Device.PAGE);
    int[] pages = stage.random.ints(0, MOST_PAGES).distinct().limit(count + 1).toArray();
    long pageBytes = type.bytes((long) Device.PAGE * width) * 2;
    int stride = heads * width + stage.random.nextInt(3);
    int line = Device.PAGE * count;
    int rows = queries * heads;
    long cache = stage.room(MOST_PAGES * pageBytes + Kernels.MARGIN);
    long numbers = stage.stored(type, MOST_PAGES * pageBytes / type.blockBytes());
    MemorySegment.copy(ALL, numbers, ALL, cache, MOST_PAGES * pageBytes);
    long q = stage.filled(Kind.NORMAL, queries, stride, heads * width);
    String what =
        " of pages, %s, %d queries × %d heads, %d tokens of %d"
            .formatted(type.word(), queries, heads, tokens, width);
    long out = stage.room(rows, line, line);
    kernels
        .attention()
        .pageScores(
            q, stride, queries, heads, type, cache, pageBytes, pages, 1, tokens, width, SCALE, out,
            line);
    Term score =
        (r, c, i) -> {
          long page = cache + pageBytes * pages[1 + c / Device.PAGE];
          long query = (long) (r / heads) * stride + (long) width * (r % heads);
          long key = (long) Device.PAGE * i + c % Device.PAGE;
          return (double) SCALE * get(q, query + i) * cached(type, page, key);
        };
    look("scores" + what, out, rows, line, tokens, width, score);

    long p = stage.filled(Kind.NORMAL, rows, line, tokens);
    long mixed = stage.room(queries, stride, heads * width);
    kernels
        .attention()
        .pageMix(
            p, line, queries, heads, type, cache, pageBytes, pages, 1, tokens, width, mixed,
            stride);
    Term part =
        (r, c, i) -> {
          long page = cache + pageBytes * pages[1 + i / Device.PAGE];
          long share = ((long) r * heads + c / width) * line + i;
          long value = (long) width * (i % Device.PAGE) + c % width;
          return (double) get(p, share) * cached(type, page, value);
        };
    look("mix" + what, mixed, queries, stride, heads * width, tokens, part);
    Stage.gaps(mixed, queries, stride, heads * width, "mix" + what);
  }

  private static float cached(TensorType type, long page, long index) {
    if (type == TensorType.F32) return get(page, index);
    return Float.float16ToFloat(ALL.get(JAVA_SHORT_UNALIGNED, page + 2 * index));
  }

  private void softmax() {
    int rows = 1 + stage.random.nextInt(12);
    int keys = stage.size();
    int stride = keys + stage.random.nextInt(5);
    int first = stage.random.nextInt(keys);
    int before = stage.percent(30) ? Integer.MAX_VALUE : stage.random.nextInt(keys);
    int after = stage.percent(30) ? Integer.MAX_VALUE : stage.random.nextInt(keys);
    long mine = stage.filled(Kind.UNEVEN, rows, stride, keys);
    long theirs = stage.room(rows, stride, keys);
    MemorySegment.copy(ALL, mine, ALL, theirs, 4L * ((rows - 1L) * stride + keys));
    kernels.attention().softmax(mine, stride, rows, keys, first, before, after);
    SCALAR.attention().softmax(theirs, stride, rows, keys, first, before, after);
    String what =
        "softmax of %d rows, %d keys, from %d, %d before, %d after"
            .formatted(rows, keys, first, before, after);
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < keys; i++) {
        float expected = get(theirs, (long) r * stride + i);
        // What is not seen is nothing; all else to six digits of the whole.
        double bound = expected == 0 ? 1e-37 : 1e-6;
        Stage.near(get(mine, (long) r * stride + i), expected, bound, what);
      }
    }
    Stage.gaps(mine, rows, stride, keys, what);
  }
}
