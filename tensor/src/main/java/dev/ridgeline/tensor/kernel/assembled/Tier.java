package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import java.util.Locale;

/** Instructions that assembled kernels are made of; each tier can all that the ones before can. */
public enum Tier {
  AVX2("AVX2", Feature.AVX2, Feature.FMA, Feature.F16C),
  AVX512("AVX-512", Feature.AVX512F, Feature.AVX512BW, Feature.AVX512VL),
  VNNI("AVX-512 with VNNI", Feature.AVX512_VNNI);

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

  /** As options name it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The highest one that a processor can; null where it can none. */
  public static Tier of(CpuFeatures cpu) {
    Tier best = null;
    for (Tier tier : values()) {
      if (!cpu.has(tier.needed)) break;
      best = tier;
    }
    return best;
  }

  /** That of this process' assembled kernels; null where none can run. */
  public static Tier here() {
    return AssembledKernels.obstacle(CpuFeatures.here()) == null ? AssembledKernels.tier() : null;
  }

  /** Bits of a register. */
  int bits() {
    return this == AVX2 ? 256 : 512;
  }
}
