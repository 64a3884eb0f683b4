package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.Room;
import java.lang.foreign.MemorySegment;

/** Multiplies rows, some of them at a time, with each panel of f32, f16 or bf16. */
final class FloatMultiplier implements Multiplier {
  private static final int LINE = 4 * PANEL;

  /** Products of two numbers in a call at most: a tenth of a millisecond, and safepoints wait. */
  private static final double CALL = 6e6;

  private static final int CACHE_LINE = 64;

  /**
   * Bytes of a result across columns that go past the caches. What trains has as many of them as
   * shards, so that they do not stay there anyway.
   */
  private static final long LARGE = 1 << 17;

  /** Sets of the first cache, and how many rows may lie in one of them. */
  private static final int SETS = 64;

  private static final int ROWS_IN_SET = 3;

  /** Sets from a row of a tile to the next, so that twelve of them have a share each. */
  private static final int SPREAD = 5;

  /** What a thread rearranges rows in. */
  private static final ThreadLocal<Room> OWN = ThreadLocal.withInitial(Room::new);

  private final FloatKind kind;

  /** Rows of a tile. */
  private final int tile;

  /** Rows that meet a panel before the next one does; whole tiles of either width. */
  private final int block;

  /**
   * Inputs that rows and panels are read over before they are changed. 1024 cost 2 to 3 % of the
   * peak: sums go to memory and back more often than a cache is missed less.
   */
  private final int depth;

  private final Function product;

  /** The same for columns of x. */
  private final Function across;

  /** The same for results that go past the caches. */
  private final Function past;

  private final FloatPanels packing;

  FloatMultiplier(FloatKind kind, Tier tier, TileSizes sizes) {
    this.kind = kind;
    this.tile = sizes.rows(kind.type);
    this.block = sizes.floatBlock();
    this.depth = sizes.floatDepth();
    String tiles = tier.word() + "-" + tile + "x" + PANEL;
    String id = kind.word() + "-" + tiles;
    this.product = Code.function(id, new FloatProduct(kind, tier.bits(), tile));
    this.across = kind.half() ? null : across("f32-across-" + tiles, false, tier);
    this.past = kind.half() ? null : across("f32-across-past-" + tiles, true, tier);
    this.packing = new FloatPanels(kind, tier.bits());
  }

  private Function across(String id, boolean pastCaches, Tier tier) {
    return Code.function(id, FloatProduct.across(pastCaches, tier.bits(), tile));
  }

  /** Bytes from a row in the scratch memory to the next. */
  private long stride() {
    return 4L * depth + SPREAD * CACHE_LINE;
  }

  private long panelBytes(int inputs) {
    return packing.bytes(inputs);
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * panelBytes(inputs);
  }

  @Override
  public boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    packing.pack(rows, outputs, inputs, packed, panelFrom, panelTo);
    return true;
  }

  /** A line of a panel is a piece of a row. */
  static void packTransposed(
      long rows, int count, int columns, long packed, int panelFrom, int panelTo) {
    for (int panel = panelFrom; panel < panelTo; panel++) {
      long from = rows + (long) LINE * panel;
      long to = packed + (long) LINE * count * panel;
      int numbers = Math.min(PANEL, columns - panel * PANEL);
      for (int row = 0; row < count; row++) {
        MemorySegment.copy(
            ALL, from + 4L * columns * row, ALL, to + (long) LINE * row, 4L * numbers);
      }
    }
  }

  @Override
  public void multiply(
      Multiplication of, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    long line = (long) PANEL * kind.bytes();
    multiply(
        of.packed + panelFrom * panelBytes(of.inputs),
        line,
        panelBytes(of.inputs),
        of.outputs - panelFrom * PANEL,
        of.inputs,
        of.x + 4L * of.xStride * rowFrom,
        4L * of.xStride,
        rowTo - rowFrom,
        panelTo - panelFrom,
        of.bias == 0 ? 0 : of.bias + (long) LINE * panelFrom,
        of.out + 4L * of.outStride * rowFrom + (long) LINE * panelFrom,
        4L * of.outStride);
  }

  /**
   * The same for weights that lie anywhere, from the first row and the first panel on.
   *
   * @param line bytes from the weights of an input to those of the next
   * @param panelBytes from a panel to the next
   * @param begin what sums begin with, as {@link FloatProduct} has it
   */
  void multiply(
      long w,
      long line,
      long panelBytes,
      int outputs,
      int inputs,
      long x,
      long xStride,
      int allRows,
      int panels,
      long begin,
      long out,
      long outStride) {
    int blocks = (allRows + block - 1) / block;
    int tiles = (allRows + tile - 1) / tile;
    for (int i = 0; i < blocks; i++) {
      // About equally long: few rows would read a panel for little.
      int row = (int) ((long) tiles * i / blocks) * tile;
      int rows = Math.min(allRows, (int) ((long) tiles * (i + 1) / blocks) * tile) - row;
      // One row alone needs no other place and is read once.
      int most = rows == 1 ? inputs : depth;
      for (int first = 0; first < inputs; first += most) {
        int part = Math.min(most, inputs - first);
        long at = x + xStride * row + 4L * first;
        long stride = xStride;
        if (rows > 1 && crowded(stride, tile)) {
          at = spread(at, stride, rows, part);
          stride = stride();
        }
        panels(
            product,
            w + line * first,
            line,
            panelBytes,
            outputs,
            part,
            at,
            stride,
            rows,
            panels,
            first == 0 ? begin : FloatProduct.ADD,
            out + outStride * row,
            outStride);
      }
    }
  }

  /** Whether rows at such a distance fall into too few sets of the first cache. */
  static boolean crowded(long stride, int tile) {
    if (stride % CACHE_LINE != 0) return false;
    long lines = stride / CACHE_LINE;
    long sets = SETS / Math.min(SETS, Long.lowestOneBit(lines | SETS));
    return sets * ROWS_IN_SET < tile;
  }

  private long spread(long x, long stride, int rows, int inputs) {
    long to = OWN.get().of(block * stride());
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(ALL, x + row * stride, ALL, to + row * stride(), 4L * inputs);
    }
    return to;
  }

  /**
   * {@code out[c][k] = begin + Σ x[i][c] · w[i][k]} for columns of x: sums over inputs in order.
   *
   * @param xStride bytes from an input of x to the next
   * @param line the same of w
   */
  void across(
      long w,
      long line,
      int outputs,
      int inputs,
      long x,
      long xStride,
      int columns,
      long begin,
      long out,
      long outStride) {
    int panels = (outputs + PANEL - 1) / PANEL;
    boolean whole = outputs % PANEL == 0 && (out | outStride) % CACHE_LINE == 0;
    boolean once = begin == 0 && inputs <= depth;
    boolean large = 4L * outputs * columns >= LARGE;
    Function code = whole && once && large ? past : across;
    for (int first = 0; first < inputs; first += depth) {
      int part = Math.min(depth, inputs - first);
      long from = first == 0 ? begin : FloatProduct.ADD;
      for (int column = 0; column < columns; column += block) {
        panels(
            code,
            w + line * first,
            line,
            LINE,
            outputs,
            part,
            x + xStride * first + 4L * column,
            xStride,
            Math.min(block, columns - column),
            panels,
            from,
            out + outStride * column,
            outStride);
      }
    }
  }

  private void panels(
      Function code,
      long w,
      long line,
      long panelBytes,
      int outputs,
      int inputs,
      long x,
      long stride,
      int rows,
      int panels,
      long begin,
      long out,
      long outStride) {
    // Panels may lie within each other's lines, so their distance says nothing about what is read.
    double bytes = (double) PANEL * kind.bytes() * inputs;
    double fit =
        Math.min(CALL / ((double) PANEL * inputs * rows), IntegerMultiplier.CALL_BYTES / bytes);
    int most = (int) Math.clamp(fit, 1, panels);
    for (int panel = 0; panel < panels; panel += most) {
      int count = Math.min(most, panels - panel);
      int last = Math.min(PANEL, outputs - (panel + count - 1) * PANEL);
      code.call(
          w + panel * panelBytes,
          x,
          stride,
          out + (long) LINE * panel,
          outStride,
          rows,
          count,
          panelBytes,
          inputs,
          begin > 0 ? begin + (long) LINE * panel : begin,
          last,
          line,
          0,
          0);
    }
  }
}
