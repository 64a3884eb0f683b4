package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A set of instructions that assembled kernels are made of, slowest first.
 *
 * <p>Tiers are not a chain: a Zen 4 has AVX-512 with VNNI and no AVX-VNNI, an Alder Lake AVX-VNNI
 * and no AVX-512. Results are the same bits in all of them, but for weights of BF16 and F16 in
 * {@link #AMX}: there they and the rows they meet are multiplied as bf16, and numbers too small to
 * be normal are zero.
 */
public enum Tier {
  /** Registers of 256 bits. */
  AVX2("AVX2", Feature.AVX2, Feature.FMA, Feature.F16C),
  /** The same with products of bytes. */
  AVX_VNNI("AVX2 with VNNI", Feature.AVX2, Feature.FMA, Feature.F16C, Feature.AVX_VNNI),
  /** Registers of 512 bits, and twice as many. */
  AVX512("AVX-512", Feature.AVX512F, Feature.AVX512BW, Feature.AVX512VL),
  /** The same with products of bytes. */
  AVX512_VNNI(
      "AVX-512 with VNNI",
      Feature.AVX512F,
      Feature.AVX512BW,
      Feature.AVX512VL,
      Feature.AVX512_VNNI),
  /** The same with products of tiles, of bytes and of bf16. */
  AMX(
      "AVX-512 with AMX",
      Feature.AVX512F,
      Feature.AVX512BW,
      Feature.AVX512VL,
      Feature.AVX512_VNNI,
      Feature.AVX512_BF16,
      Feature.AMX_INT8,
      Feature.AMX_BF16);

  private final String title;
  private final Feature[] needed;

  Tier(String title, Feature... needed) {
    this.title = title;
    this.needed = needed;
  }

  /** As people call it. */
  public String title() {
    return title;
  }

  /** As options name it: {@code avx512-vnni}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether a processor has all its instructions. */
  public boolean runsOn(CpuFeatures cpu) {
    return cpu.has(needed);
  }

  /** Those that a processor has, slowest first. */
  public static List<Tier> allOf(CpuFeatures cpu) {
    List<Tier> tiers = new ArrayList<>();
    for (Tier tier : values()) if (tier.runsOn(cpu)) tiers.add(tier);
    return tiers;
  }

  /** The fastest one that a processor has; null where it has none. */
  public static Tier of(CpuFeatures cpu) {
    List<Tier> tiers = allOf(cpu);
    return tiers.isEmpty() ? null : tiers.getLast();
  }

  /** That of this process' assembled kernels; null where none can run. */
  public static Tier here() {
    return AssembledKernels.obstacle(CpuFeatures.here()) == null ? AssembledKernels.tier() : null;
  }

  /** Bits of a register. */
  int bits() {
    return wide() ? 512 : 256;
  }

  /** Whether registers have 512 bits, and masks. */
  public boolean wide() {
    return compareTo(AVX512) >= 0;
  }

  /** Vector registers. */
  int registers() {
    return wide() ? 32 : 16;
  }

  /** Whether one instruction adds four products of bytes to each i32. */
  public boolean dots() {
    return this == AVX_VNNI || this == AVX512_VNNI || this == AMX;
  }
}
