package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import java.util.ArrayList;
import java.util.List;

/**
 * Products in machine code of our own: on processors with VNNI by instructions that Java has no
 * words for, and everywhere without waiting for a compiler. Everything else by another family.
 */
public final class AssembledKernels implements Kernels {
  /** The system property that asks for a lower tier than the processor has. */
  public static final String TIER_PROPERTY = "ridgeline.tier";

  /**
   * The system property that has products with quantized weights counted in whole numbers, three
   * times as fast: {@code true} unless told otherwise.
   */
  public static final String INTEGER_PROPERTY = "ridgeline.integer";

  private static final Kernels PLAIN = new ScalarKernels();

  private final Kernels rest;
  private final Tier tier;
  private final Rows rows;
  private final Attention attention;

  private final Multiplier[] multipliers = new Multiplier[TensorType.values().length];

  /**
   * Kernels of this process' tier.
   *
   * @param rest does what is not assembled
   */
  public AssembledKernels(Kernels rest, TileSizes sizes) {
    this(rest, !System.getProperty(INTEGER_PROPERTY, "true").equals("false"), tier(), sizes);
  }

  /**
   * @param integer whether rows that meet quantized weights become bytes
   * @param tier one that this processor has
   */
  AssembledKernels(Kernels rest, boolean integer, Tier tier, TileSizes sizes) {
    this.rest = rest;
    this.tier = tier;
    var floats = new FloatMultiplier(FloatKind.F32, tier, sizes);
    var halves = new FloatMultiplier(FloatKind.F16, tier, sizes);
    rows = new Rows(tier.bits());
    attention = new Attention(floats, halves, tier.bits());
    multipliers[TensorType.F32.ordinal()] = floats;
    boolean tiles = tier == Tier.AMX;
    multipliers[TensorType.F16.ordinal()] =
        tiles ? new BrainMultiplier(FloatKind.F16, sizes) : halves;
    multipliers[TensorType.BF16.ordinal()] =
        tiles
            ? new BrainMultiplier(FloatKind.BF16, sizes)
            : new FloatMultiplier(FloatKind.BF16, tier, sizes);
    if (integer) {
      for (PanelForm form : PanelForm.values()) {
        multipliers[form.type.ordinal()] = IntegerMultiplier.of(form, tier, sizes);
      }
    }
    if (rest instanceof ScalarKernels) widen();
  }

  /** Where no vectors multiply what is quantized, and bytes are not to. */
  private void widen() {
    for (TensorType type : TensorType.values()) {
      if (!type.quantized() || multipliers[type.ordinal()] != null) continue;
      multipliers[type.ordinal()] = new WidenedMultiplier(type, floats());
    }
  }

  /** What it means that plain loops are all the rest. */
  private String withoutVectors() {
    List<String> widened = new ArrayList<>();
    for (TensorType type : TensorType.values()) {
      if (multipliers[type.ordinal()] instanceof WidenedMultiplier) widened.add(type.word());
    }
    if (widened.isEmpty()) return "";
    return " (weights of " + String.join(", ", widened) + " become f32)";
  }

  /** The same kernels, with products in tiles of sizes that are to be tried. */
  public AssembledKernels trial(TileSizes sizes) {
    var trial = new AssembledKernels(rest, false, tier, sizes);
    for (PanelForm form : PanelForm.values()) {
      if (!integer(form.type)) continue;
      trial.multipliers[form.type.ordinal()] = IntegerMultiplier.trial(form, tier, sizes);
    }
    return trial;
  }

  /** Why these cannot run here, or null. */
  public static String obstacle(CpuFeatures cpu) {
    if (!cpu.runnable()) return cpu.refusal();
    return Tier.of(cpu) == null ? "this CPU has no AVX2 with FMA" : null;
  }

  /** Refuses a tier that was asked for and is none here, also where nothing assembled runs. */
  public static void requireTier() {
    if (System.getProperty(TIER_PROPERTY) != null) tier();
  }

  /** The tier of this process: the processor's, or a lower one that was asked for. */
  static Tier tier() {
    Tier best = Tier.of(CpuFeatures.here());
    String asked = System.getProperty(TIER_PROPERTY);
    if (asked == null) return best;
    for (Tier tier : Tier.values()) {
      if (!tier.word().equals(asked)) continue;
      if (tier.runsOn(CpuFeatures.here())) return tier;
      if (!CpuFeatures.here().runnable()) {
        throw new KernelException(
            "-D%s=%s: %s".formatted(TIER_PROPERTY, asked, CpuFeatures.here().refusal()));
      }
      throw new KernelException(
          "-D%s=%s: this CPU has no %s".formatted(TIER_PROPERTY, asked, tier.title()));
    }
    throw new KernelException(
        "-D%s=%s: say avx2, avx-vnni, avx512, avx512-vnni or amx".formatted(TIER_PROPERTY, asked));
  }

  /** Assembles every kernel of this process' tier; else each is when it is first needed. */
  public static List<Code.Kernel> assembleAll(TileSizes sizes) {
    new AssembledKernels(PLAIN, true, tier(), sizes);
    return Code.assembled();
  }

  @Override
  public String description() {
    String plain = rest instanceof ScalarKernels ? withoutVectors() : "";
    return "assembled (%s), else %s%s".formatted(tier.title(), rest.description(), plain);
  }

  @Override
  public GradKernels grad() {
    return rest.grad();
  }

  // Matrices.

  @Override
  public boolean integer(TensorType type) {
    return multipliers[type.ordinal()] instanceof IntegerMultiplier;
  }

  /**
   * Tiles of bytes are for 12 rows and more; without VNNI, weights of a few bits need no widening.
   */
  @Override
  public Arithmetic form(TensorType type, int rows) {
    if (multipliers[type.ordinal()] instanceof BrainMultiplier) return Arithmetic.AMX_BF16;
    if (!integer(type)) return Arithmetic.F32;
    if (tier == Tier.AMX && rows >= TileProduct.ROWS) return Arithmetic.AMX_INT8;
    return switch (ByteProducts.of(PanelForm.of(type), tier)) {
      case DOT -> Arithmetic.INT8;
      case WORDS -> Arithmetic.INT8_WORDS;
      case NIBBLES -> Arithmetic.INT8_NIBBLES;
    };
  }

  @Override
  public long packedBytes(TensorType type, int outputs, int inputs) {
    Multiplier multiplier = multipliers[type.ordinal()];
    return multiplier == null
        ? rest.packedBytes(type, outputs, inputs)
        : multiplier.packedBytes(outputs, inputs);
  }

  @Override
  public boolean pack(
      TensorType type,
      long rows,
      int outputs,
      int inputs,
      long packed,
      int panelFrom,
      int panelTo) {
    Multiplier multiplier = multipliers[type.ordinal()];
    return multiplier == null
        ? rest.pack(type, rows, outputs, inputs, packed, panelFrom, panelTo)
        : multiplier.pack(rows, outputs, inputs, packed, panelFrom, panelTo);
  }

  @Override
  public void matmul(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    Multiplier multiplier = multipliers[product.type.ordinal()];
    if (multiplier == null) {
      rest.matmul(product, rowFrom, rowTo, panelFrom, panelTo, epoch);
    } else {
      multiplier.as(product.layout).multiply(product, rowFrom, rowTo, panelFrom, panelTo, epoch);
    }
  }

  @Override
  public long sharedBytes(Multiplication product) {
    Multiplier multiplier = multipliers[product.type.ordinal()];
    return multiplier == null ? 0 : multiplier.as(product.layout).sharedBytes(product.inputs);
  }

  @Override
  public void share(Multiplication product, int rowFrom, int rowTo) {
    multipliers[product.type.ordinal()].as(product.layout).share(product, rowFrom, rowTo);
  }

  @Override
  public boolean widens(TensorType type) {
    Multiplier multiplier = multipliers[type.ordinal()];
    return multiplier != null && multiplier.widens();
  }

  // The rest.

  @Override
  public void dequantize(TensorType type, long row, int count, long out) {
    rest.dequantize(type, row, count, out);
  }

  @Override
  public void add(long a, long b, long out, long count) {
    rows.add(a, b, out, count);
  }

  @Override
  public void multiply(long a, long b, long out, long count) {
    rows.multiply(a, b, out, count);
  }

  @Override
  public void scale(long a, float factor, long out, long count) {
    rows.scale(a, factor, out, count);
  }

  @Override
  public void layerNorm(
      long x,
      int xStride,
      long y,
      int yStride,
      long weight,
      long bias,
      float epsilon,
      long out,
      int outStride,
      int width,
      int rowFrom,
      int rowTo) {
    rows.layerNorm(
        x + 4L * xStride * rowFrom,
        4L * xStride,
        y == 0 ? 0 : y + 4L * yStride * rowFrom,
        4L * yStride,
        weight,
        bias,
        epsilon,
        out + 4L * outStride * rowFrom,
        4L * outStride,
        width,
        rowTo - rowFrom);
  }

  @Override
  public void rmsNorm(
      long x,
      int xStride,
      long weight,
      float epsilon,
      long out,
      int outStride,
      int width,
      int rowFrom,
      int rowTo) {
    rows.rmsNorm(
        x + 4L * xStride * rowFrom,
        4L * xStride,
        weight,
        epsilon,
        out + 4L * outStride * rowFrom,
        4L * outStride,
        width,
        rowTo - rowFrom);
  }

  @Override
  public void gelu(long x, long out, long count) {
    rows.gelu(x, out, count);
  }

  @Override
  public void geglu(long gate, long up, long out, long count) {
    rows.geglu(gate, up, out, count);
  }

  @Override
  public void geluTanh(long x, long out, long count) {
    rows.geluTanh(x, out, count);
  }

  @Override
  public void swiglu(long gate, long up, long out, long count) {
    rows.swiglu(gate, up, out, count);
  }

  @Override
  public void rope(
      long x,
      int stride,
      int heads,
      int width,
      int turned,
      Pairing pairing,
      long angles,
      long positions,
      int rowFrom,
      int rowTo) {
    rows.rope(
        x + 4L * stride * rowFrom,
        4L * stride,
        heads,
        width,
        turned,
        pairing,
        angles,
        positions + 4L * rowFrom,
        rowTo - rowFrom);
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
      float scale,
      long out,
      int outStride) {
    attention.scores(q, qStride, queries, k, kStride, keys, width, scale, out, outStride);
  }

  @Override
  public void softmax(
      long x, int stride, int rows, int keys, int firstQuery, int before, int after) {
    attention.softmax(x, stride, rows, keys, firstQuery, before, after);
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
    attention.mix(p, pStride, queries, v, vStride, keys, width, out, outStride);
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
    floats()
        .across(
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
  public void packTransposed(
      long rows, int count, int columns, long packed, int panelFrom, int panelTo) {
    FloatMultiplier.packTransposed(rows, count, columns, packed, panelFrom, panelTo);
  }

  private FloatMultiplier floats() {
    return (FloatMultiplier) multipliers[TensorType.F32.ordinal()];
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
    if (paged(type)) {
      attention.pageScores(
          q, qStride, queries, heads, type, keys, pageBytes, pages, firstPage, tokens, width, scale,
          out, outStride);
    } else {
      rest.pageScores(
          q, qStride, queries, heads, type, keys, pageBytes, pages, firstPage, tokens, width, scale,
          out, outStride);
    }
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
    if (paged(type)) {
      attention.pageMix(
          p, pStride, queries, heads, type, values, pageBytes, pages, firstPage, tokens, width, out,
          outStride);
    } else {
      rest.pageMix(
          p, pStride, queries, heads, type, values, pageBytes, pages, firstPage, tokens, width, out,
          outStride);
    }
  }

  private boolean paged(TensorType type) {
    return type == TensorType.F32 || type == TensorType.F16;
  }

  @Override
  public void mean(long x, int xStride, int rowFrom, int rowTo, int width, long out) {
    rows.mean(x + 4L * xStride * rowFrom, 4L * xStride, rowTo - rowFrom, width, out);
  }

  @Override
  public void normalize(long x, int width, long out) {
    // One short row of a text: not worth that the Vector API is loaded, which takes 50 ms.
    PLAIN.normalize(x, width, out);
  }

  @Override
  public void adamW(
      long p,
      long g,
      long m,
      long v,
      long count,
      float factor,
      float beta1,
      float rest1,
      float beta2,
      float rest2,
      float keep,
      float rate,
      float root,
      float epsilon) {
    rows.adamW(p, g, m, v, count, factor, beta1, rest1, beta2, rest2, keep, rate, root, epsilon);
  }
}
