package dev.ridgeline.tensor.tune;

import dev.ridgeline.tensor.KernelException;
import dev.ridgeline.tensor.Printable;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import dev.ridgeline.tensor.kernel.assembled.TileSizes;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A value for each {@link Tunable}, and where they come from: what was asked for, the table that
 * {@code tune} left in the cache for this machine and JVM, or the defaults.
 */
public final class Tiling implements TileSizes {
  /** The system property that asks for others: {@code defaults}, or {@code f32.rows=8,band=64}. */
  public static final String PROPERTY = "ridgeline.tiles";

  private static final String DEFAULTS = "defaults";

  private static Tiling here;

  private final Tier tier;
  private final int[] values;
  private final String source;

  /** Why a table that is there was not used, or null. */
  private final String complaint;

  private Tiling(Tier tier, int[] values, String source) {
    this(tier, values, source, null);
  }

  private Tiling(Tier tier, int[] values, String source, String complaintOrNull) {
    this.tier = tier;
    this.values = values;
    this.source = source;
    this.complaint = complaintOrNull;
  }

  /** What is good without any measurement, in the kernels of a tier; null where none are run. */
  public static Tiling preset(Tier tierOrNull) {
    int[] values = new int[Tunable.values().length];
    for (Tunable each : Tunable.values()) values[each.ordinal()] = each.preset(tierOrNull);
    return new Tiling(tierOrNull, values, DEFAULTS);
  }

  /**
   * That of this process, found once, at the first use. A {@link KernelException} says in one line
   * what is wrong with what was asked for; a table that cannot be used is one line of warning.
   */
  public static synchronized Tiling here() {
    if (here == null) {
      Tier tier = Tier.here();
      here =
          of(
              System.getProperty(PROPERTY),
              tier,
              TilingTable.file(CacheFolder.usual(System.getenv()), tier));
    }
    return here;
  }

  static Tiling of(String asked, Tier tier, Path table) {
    Tiling preset = preset(tier);
    if (asked != null) {
      String option = "-D" + PROPERTY + "=" + asked;
      try {
        Tiling parsed = preset.and(asked);
        return new Tiling(tier, parsed.values, option);
      } catch (IllegalArgumentException e) {
        throw new KernelException(option + ": " + e.getMessage());
      }
    }
    if (table == null) return preset;
    try {
      TilingTable found = TilingTable.read(table, tier);
      return found == null ? preset : found.tiling(tier);
    } catch (TilingTable.Unusable e) {
      String complaint = "%s %s; the default tiles run".formatted(table, e.getMessage());
      System.getLogger(Tiling.class.getName()).log(Level.WARNING, complaint);
      return new Tiling(tier, preset.values, DEFAULTS, complaint);
    }
  }

  public int get(Tunable tunable) {
    return values[tunable.ordinal()];
  }

  @Override
  public int rows(TensorType type) {
    Tunable rows = Tunable.rows(type);
    return rows == null ? Integer.MAX_VALUE : get(rows);
  }

  @Override
  public int floatBlock() {
    return get(Tunable.FLOAT_BLOCK);
  }

  @Override
  public int floatDepth() {
    return get(Tunable.FLOAT_DEPTH);
  }

  @Override
  public int quantizedBytes() {
    return get(Tunable.QUANTIZED_BYTES);
  }

  /** The same with another value; one that is not allowed is an IllegalArgumentException. */
  public Tiling with(Tunable tunable, int value) {
    if (!tunable.allows(tier, value)) {
      throw new IllegalArgumentException(
          "%s is one of %s, not %d"
              .formatted(
                  tunable.word(),
                  Arrays.toString(tunable.choices(tier)).replaceAll("[\\[\\]]", ""),
                  value));
    }
    int[] next = values.clone();
    next[tunable.ordinal()] = value;
    return new Tiling(tier, next, source);
  }

  Tiling from(String where) {
    return new Tiling(tier, values, where);
  }

  /**
   * The same with values as {@link #toString} writes them; an IllegalArgumentException says what is
   * wrong.
   */
  public Tiling and(String words) {
    Tiling next = this;
    if (words.equals(DEFAULTS)) return next;
    Set<Tunable> named = EnumSet.noneOf(Tunable.class);
    for (String word : words.split(",", -1)) {
      String[] parts = word.split("=", -1);
      Tunable tunable = Tunable.named(parts[0]);
      if (parts.length != 2) {
        throw new IllegalArgumentException("say defaults, or NAME=N,…");
      }
      if (tunable == null)
        throw new IllegalArgumentException("no tunable '%s'".formatted(Printable.line(parts[0])));
      if (!named.add(tunable)) {
        throw new IllegalArgumentException("%s is named twice".formatted(parts[0]));
      }
      try {
        next = next.with(tunable, Integer.parseInt(parts[1]));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "%s: '%s' is not a number".formatted(parts[0], Printable.line(parts[1])), e);
      }
    }
    return next;
  }

  public Tier tier() {
    return tier;
  }

  /** Where the values come from: {@code defaults}, {@code tuned 2026-11-16 (2 choices)}. */
  public String source() {
    return source;
  }

  /**
   * In one line why there is a table for this machine that was not used; null where all is well.
   */
  public String complaint() {
    return complaint;
  }

  /** Source and values, in one line. */
  public String description() {
    String values = toString();
    return source.equals(DEFAULTS)
        ? source
        : source + (values.equals(DEFAULTS) ? "" : ": " + values);
  }

  /** Values that are not the defaults: {@code f32.rows=8,band=64}. */
  @Override
  public String toString() {
    List<String> words = new ArrayList<>();
    for (Tunable each : Tunable.values()) {
      if (get(each) != each.preset(tier)) words.add(each.word() + "=" + get(each));
    }
    return words.isEmpty() ? DEFAULTS : String.join(",", words);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tiling that && tier == that.tier && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }
}
