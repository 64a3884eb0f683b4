package dev.ridgeline.bench.shapes;

import static dev.ridgeline.bench.shapes.Stage.bits;
import static dev.ridgeline.bench.shapes.Stage.get;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.bench.shapes.Stage.Kind;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;

/**
 * A product of any type and shape.
 *
 * <p>Sums of floats may be off by 2⁻²⁴ · (4 + √inputs) · Σ|w·x|, the bias being one of the terms;
 * where rows become bytes, each number by half a step of its block more, and where numbers of rows
 * or weights become bf16, each by 2⁻⁸. Nothing is written outside of the range, and ranges do not
 * change a bit.
 */
final class ProductCheck {
  private static final List<TensorType> TYPES =
      Arrays.stream(TensorType.values()).filter(type -> type != TensorType.I32).toList();

  /** Products of two numbers in most cases, and in a few. */
  private static final long WORK = 1 << 18;

  private static final long MUCH_WORK = 1 << 23;

  /** Results that are held against sums in double; the last of everything always is. */
  private static final int LOOKS = 24;

  /**
   * Inputs up to which sums of positive numbers keep to the bound whatever happens. It grows with
   * the root of the inputs, as errors of either sign do; one plain sum of 64 positive numbers in
   * some million, fma after fma, was just outside of it.
   */
  private static final int MOST_POSITIVE = 16;

  private static final int BLOCK = 32;

  private static final Kernels VECTOR = new VectorKernels();
  private static final long WEIGHTS = Arena.global().allocate(4L << 16, Memory.ALIGNMENT).address();

  private final Stage stage;
  private final Kernels kernels;
  private TensorType type;
  private int rows;
  private int outputs;
  private int inputs;
  private int xStride;
  private int outStride;
  private int rowFrom;
  private int rowTo;
  private int panelFrom;
  private int panelTo;
  private Kind kind;
  private boolean odd;
  private long stored;
  private long x;
  private long bias;

  ProductCheck(Stage stage) {
    this.stage = stage;
    this.kernels = stage.kernels;
  }

  void run() {
    choose();
    stored = stage.stored(type, (long) outputs * inputs);
    x = stage.filled(kind, rows, xStride, inputs);
    if (odd) spoil();
    bias = stage.random.nextBoolean() ? stage.filled(kind, 1, outputs, outputs) : 0;
    long packed = pack(kernels);
    long out = stage.room(rows, outStride, outputs);
    multiply(kernels, packed, out, rowFrom, rowTo, panelFrom, panelTo);
    nothingElse(out);
    look(rowTo - 1, last() - 1, out);
    for (int i = 1; i < LOOKS; i++) {
      look(between(rowFrom, rowTo), between(panelFrom * PANEL, last()), out);
    }
    if (stage.percent(25)) inParts(packed, out);
    if (!type.quantized() && form() == Arithmetic.F32 && stage.percent(25)) likeVectors(out);
  }

  private void choose() {
    type = TYPES.get(stage.random.nextInt(TYPES.size()));
    rows = stage.size();
    outputs = stage.size();
    int block = type.blockSize();
    if (block == 1) inputs = stage.percent(3) ? 1000 + stage.random.nextInt(1300) : stage.size();
    else if (block == BLOCK) inputs = block * (1 + stage.random.nextInt(stage.percent(3) ? 40 : 9));
    else inputs = block * (1 + stage.random.nextInt(stage.percent(3) ? 5 : 2));
    long most = stage.percent(1) ? MUCH_WORK : WORK;
    while ((long) rows * outputs * inputs > most) {
      if (rows > outputs) rows = 1 + stage.random.nextInt(rows);
      else outputs = 1 + stage.random.nextInt(outputs);
    }
    // Sometimes rows lie where they would crowd a few lines of the cache.
    int apart = inputs + stage.random.nextInt(10);
    xStride = stage.percent(3) && rows < 40 ? apart + 1023 & -1024 : apart;
    outStride = outputs + stage.random.nextInt(10);
    int panels = (outputs + PANEL - 1) / PANEL;
    boolean all = stage.random.nextBoolean();
    rowFrom = all ? 0 : stage.random.nextInt(rows);
    rowTo = all ? rows : between(rowFrom + 1, rows + 1);
    panelFrom = all ? 0 : stage.random.nextInt(panels);
    panelTo = all ? panels : between(panelFrom + 1, panels + 1);
    kind = Kind.values()[stage.random.nextInt(inputs <= MOST_POSITIVE ? 3 : 2)];
    odd = stage.percent(4);
  }

  private Arithmetic form() {
    return kernels.form(type, rows);
  }

  private int between(int from, int to) {
    return from + stage.random.nextInt(to - from);
  }

  private int last() {
    return Math.min(outputs, panelTo * PANEL);
  }

  /** A number that is none, in one row of x. */
  private void spoil() {
    float[] values = {
      Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 1e-40f, 0
    };
    long row = (long) stage.random.nextInt(rows) * xStride;
    float value = values[stage.random.nextInt(values.length)];
    if (Float.isFinite(value)) {
      for (int i = 0; i < inputs; i++) Stage.put(x, row + i, value * (i % 3 - 1));
    } else {
      Stage.put(x, row + stage.random.nextInt(inputs), value);
    }
  }

  private long pack(Kernels by) {
    long packed = stage.room(by.packedBytes(type, outputs, inputs));
    int panels = (outputs + PANEL - 1) / PANEL;
    int middle = stage.random.nextInt(panels);
    by.pack(type, stored, outputs, inputs, packed, 0, middle);
    by.pack(type, stored, outputs, inputs, packed, middle, panels);
    return packed;
  }

  private void multiply(
      Kernels by, long packed, long out, int fromRow, int toRow, int fromPanel, int toPanel) {
    by.matmul(
        type, packed, outputs, inputs, x, xStride, fromRow, toRow, fromPanel, toPanel, bias, out,
        outStride);
  }

  /** Every result in range is written, and nothing else. */
  private void nothingElse(long out) {
    for (int r = 0; r < rows; r++) {
      int width = r == rows - 1 ? outputs : outStride;
      for (int o = 0; o < width; o++) {
        boolean inside = r >= rowFrom && r < rowTo && o >= panelFrom * PANEL && o < last();
        boolean written = bits(out, (long) r * outStride + o) != Stage.UNTOUCHED;
        if (inside == written) continue;
        throw new Wrong("%s %s at %d, %d".formatted(this, inside ? "left out" : "wrote", r, o));
      }
    }
  }

  private void look(int row, int output, long out) {
    long at = (long) row * xStride;
    Quantizer.dequantize(type, stored + output * type.bytes(inputs), inputs, WEIGHTS);
    double sum = bias == 0 ? 0 : get(bias, output);
    double size = Math.abs(sum);
    boolean finite = true;
    double steps = 0;
    for (int first = 0; first < inputs; first += BLOCK) {
      double largest = 0;
      double weights = 0;
      for (int i = first; i < Math.min(inputs, first + BLOCK); i++) {
        float number = get(x, at + i);
        double term = (double) get(WEIGHTS, i) * number;
        sum += term;
        size += Math.abs(term);
        largest = Math.max(largest, Math.abs(number));
        weights += Math.abs(get(WEIGHTS, i));
        finite &= Float.isFinite(number);
      }
      steps += weights * largest / 127 / 2;
    }
    float got = get(out, (long) row * outStride + output);
    boolean bytes = kernels.integer(type);
    if (bytes && !finite) {
      if (Float.isFinite(got)) throw new Wrong("%s made %s of no numbers".formatted(this, got));
      return;
    }
    double bound = Math.scalb(4 + Math.sqrt(inputs), -24) * size + inputs * Float.MIN_VALUE;
    if (form().numbers().equals("bf16")) {
      // Rows are off by one in 256 at most, and so are weights that were not bf16 before. Numbers
      // too small to be normal become zero; weights are less than 7.
      bound += Math.scalb(size, type == TensorType.BF16 ? -8 : -7);
      bound += 8.0 * inputs * Float.MIN_NORMAL;
    }
    // A row of less than 10⁻³⁰ becomes zeros.
    if (bytes) bound += steps * 1.001 + 1e-29 * inputs;
    Stage.near(got, sum, bound, this + " at " + row + ", " + output);
  }

  private void inParts(long packed, long out) {
    long parts = stage.room(rows, outStride, outputs);
    for (int row = rowFrom; row < rowTo; ) {
      int nextRow = Math.min(rowTo, row + 1 + stage.random.nextInt(stage.percent(50) ? 3 : 40));
      for (int panel = panelFrom; panel < panelTo; ) {
        int nextPanel = between(panel + 1, panelTo + 1);
        multiply(kernels, packed, parts, row, nextRow, panel, nextPanel);
        panel = nextPanel;
      }
      row = nextRow;
    }
    compare(parts, out, "in parts");
  }

  private void likeVectors(long out) {
    long theirs = stage.room(rows, outStride, outputs);
    multiply(VECTOR, pack(VECTOR), theirs, rowFrom, rowTo, panelFrom, panelTo);
    compare(out, theirs, "beside vector kernels");
  }

  private void compare(long a, long b, String how) {
    long skip = 4L * ((long) rowFrom * outStride + panelFrom * PANEL);
    int width = last() - panelFrom * PANEL;
    Stage.same(a + skip, b + skip, rowTo - rowFrom, outStride, width, this + " " + how);
  }

  @Override
  public String toString() {
    return "%s, %d×%d×%d (strides %d, %d), rows %d–%d, panels %d–%d, %s%s%s"
        .formatted(
            type.word(),
            rows,
            inputs,
            outputs,
            xStride,
            outStride,
            rowFrom,
            rowTo,
            panelFrom,
            panelTo,
            kind,
            odd ? ", one spoilt" : "",
            bias == 0 ? "" : ", bias");
  }
}
