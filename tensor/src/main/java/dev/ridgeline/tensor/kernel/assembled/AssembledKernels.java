package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.AttentionKernels;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.RowKernels;
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

  private final Kernels rest;
  private final Tier tier;
  private final RowKernels rows;
  private final AttentionKernels attention;

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
    rows = new AssembledRows(rest.rows(), new ScalarKernels().rows(), tier.bits());
    attention = new AssembledAttention(rest.attention(), floats, halves, tier.bits());
    multipliers[TensorType.F32.ordinal()] = floats;
    boolean tiles = tier == Tier.AMX;
    multipliers[TensorType.F16.ordinal()] =
        tiles ? new Bf16Multiplier(FloatKind.F16, sizes) : halves;
    multipliers[TensorType.BF16.ordinal()] =
        tiles
            ? new Bf16Multiplier(FloatKind.BF16, sizes)
            : new FloatMultiplier(FloatKind.BF16, tier, sizes);
    if (integer) {
      for (PanelForm form : PanelForm.values()) {
        multipliers[form.type.ordinal()] = IntegerMultiplier.of(form, tier, sizes);
      }
    }
    // Where no vectors multiply what is quantized, and bytes are not to.
    for (TensorType type : TensorType.values()) {
      boolean missing = type.quantized() && multipliers[type.ordinal()] == null;
      if (missing && rest instanceof ScalarKernels) {
        multipliers[type.ordinal()] = new WidenedMultiplier(type, floats);
      }
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
    new AssembledKernels(new ScalarKernels(), true, tier(), sizes);
    return Code.assembled();
  }

  @Override
  public String description() {
    String plain = rest instanceof ScalarKernels ? withoutVectors() : "";
    return "assembled (%s), else %s%s".formatted(tier.title(), rest.description(), plain);
  }

  @Override
  public RowKernels rows() {
    return rows;
  }

  @Override
  public AttentionKernels attention() {
    return attention;
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
    if (multipliers[type.ordinal()] instanceof Bf16Multiplier) return Arithmetic.AMX_BF16;
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
  public void packTransposed(
      long rows, int count, int columns, long packed, int panelFrom, int panelTo) {
    FloatMultiplier.packTransposed(rows, count, columns, packed, panelFrom, panelTo);
  }

  @Override
  public void matmul(
      Multiplication product, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    Multiplier multiplier = multipliers[product.type.ordinal()];
    if (multiplier == null) {
      rest.matmul(product, rowFrom, rowTo, panelFrom, panelTo, epoch);
    } else {
      multiplier.as(product.precision).multiply(product, rowFrom, rowTo, panelFrom, panelTo, epoch);
    }
  }

  @Override
  public long sharedBytes(Multiplication product) {
    Multiplier multiplier = multipliers[product.type.ordinal()];
    return multiplier == null ? 0 : multiplier.as(product.precision).sharedBytes(product.inputs);
  }

  @Override
  public void share(Multiplication product, int rowFrom, int rowTo) {
    multipliers[product.type.ordinal()].as(product.precision).share(product, rowFrom, rowTo);
  }

  @Override
  public boolean widens(TensorType type) {
    Multiplier multiplier = multipliers[type.ordinal()];
    return multiplier != null && multiplier.widens();
  }
}
