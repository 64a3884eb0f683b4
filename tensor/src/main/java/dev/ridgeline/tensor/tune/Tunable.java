package dev.ridgeline.tensor.tune;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A number that may be another on another machine. None of them changes a bit of any result: a sum
 * keeps its order in tiles and blocks of every size, and every strategy gives the same vectors.
 */
public enum Tunable {
  F32_ROWS("f32.rows", "rows of a tile, weights in f32", 12, 6, 8, 10, 12),
  F16_ROWS("f16.rows", "rows of a tile, weights in f16 or bf16", 12, 6, 8, 10, 12),
  Q8_0_ROWS("q8_0.rows", "rows of a tile, weights in q8_0", 6, 3, 4, 5, 6),
  Q4_0_ROWS("q4_0.rows", "rows of a tile, weights in q4_0", 6, 3, 4, 5, 6),
  FLOAT_BLOCK("float.block", "rows that meet a panel before the next does", 120, 60, 120, 240),
  FLOAT_DEPTH("float.depth", "inputs that rows are read over at a time", 2048, 512, 1024, 2048),
  QUANTIZED_BYTES(
      "quantized.bytes",
      "rows held as bytes at a time",
      1 << 19,
      1 << 17,
      1 << 18,
      1 << 19,
      1 << 20),
  BAND("band", "rows of a unit of work, where there are many", 128, 64, 128, 256),
  AUTO_PACKED("auto.packed", "texts from which --strategy auto packs them", 2, 2, 3, 5, 9, 17),
  AUTO_COARSE(
      "auto.coarse", "texts from which it gives each to a worker; 0 never", 4, 0, 4, 8, 16, 64);

  /** Rows of a tile at most in registers of 256 bits, for which there are half as many. */
  private static final int MOST_NARROW_ROWS = 6;

  private final String word;
  private final String description;
  private final int preset;
  private final int[] choices;

  Tunable(String word, String description, int preset, int... choices) {
    this.word = word;
    this.description = description;
    this.preset = preset;
    this.choices = choices;
  }

  /** As tables and options name it. */
  public String word() {
    return word;
  }

  /** What it is, for people. */
  public String description() {
    return description;
  }

  /** The one of this name, or null. */
  public static Tunable named(String word) {
    for (Tunable each : values()) if (each.word.equals(word)) return each;
    return null;
  }

  /** The rows of a tile of a type of weights, or null where its products have none. */
  public static Tunable rows(TensorType type) {
    return switch (type) {
      case F32 -> F32_ROWS;
      case F16, BF16 -> F16_ROWS;
      case Q8_0 -> Q8_0_ROWS;
      case Q4_0 -> Q4_0_ROWS;
      default -> null;
    };
  }

  /** What products with weights of a type depend on in assembled kernels. */
  public static Set<Tunable> of(TensorType type, AssembledKernels kernels) {
    if (kernels.form(type, 1) == Arithmetic.AMX_BF16) return EnumSet.of(QUANTIZED_BYTES);
    Set<Tunable> all = EnumSet.noneOf(Tunable.class);
    if (kernels.integer(type)) all.add(QUANTIZED_BYTES);
    else if (type.quantized()) return all;
    else all.addAll(List.of(FLOAT_BLOCK, FLOAT_DEPTH));
    if (rows(type) != null) all.add(rows(type));
    return all;
  }

  /** Whether it is about a model's texts; else it is about products. */
  public boolean ofTexts() {
    return this == AUTO_PACKED || this == AUTO_COARSE;
  }

  private boolean ofFloatTiles() {
    return this == F32_ROWS || this == F16_ROWS;
  }

  /** What it is unless a table says otherwise; measured to be good. */
  public int preset(Tier tierOrNull) {
    return narrow(tierOrNull) ? MOST_NARROW_ROWS : preset;
  }

  /** What it may be, ascending. */
  public int[] choices(Tier tierOrNull) {
    return narrow(tierOrNull) ? new int[] {3, 4, 5, MOST_NARROW_ROWS} : choices.clone();
  }

  boolean allows(Tier tierOrNull, int value) {
    return Arrays.stream(choices(tierOrNull)).anyMatch(each -> each == value);
  }

  private boolean narrow(Tier tier) {
    return ofFloatTiles() && tier != null && !tier.wide();
  }
}
