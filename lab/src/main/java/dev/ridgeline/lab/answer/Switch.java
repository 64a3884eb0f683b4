package dev.ridgeline.lab.answer;

import dev.ridgeline.tensor.Ablation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** An optimisation that can be left out, and how. */
public enum Switch {
  WORKERS("several workers", true, List.of("--workers", "1"), List.of()),
  SIMD(
      "kernels of vectors or machine code",
      false,
      List.of(),
      List.of("-Dridgeline.kernels=scalar")),
  ASSEMBLED("assembled kernels", false, List.of(), List.of("-Dridgeline.kernels=vector")),
  INTEGER("products in bytes", false, List.of(), List.of("-Dridgeline.integer=false")),
  PACKING("repacked weights", true, List.of("--repack", "no"), List.of()),
  BATCHING(
      "texts, or tokens of a prompt, in one batch",
      true,
      List.of("--batch", "1"),
      List.of(off(Ablation.BATCHING))),
  KV_CACHE("the cache of keys and values", Ablation.KV_CACHE),
  FUSION("operations in one pass", Ablation.FUSION),
  BUFFER_REUSE("room that is planned once", Ablation.BUFFER_REUSE),
  LARGE_PAGES("large pages", Ablation.LARGE_PAGES),
  SPINNING("workers that watch before they sleep", Ablation.SPINNING);

  private final String words;
  private final boolean exact;
  private final List<String> options;
  private final List<String> jvm;

  Switch(String words, boolean exact, List<String> options, List<String> jvm) {
    this.words = words;
    this.exact = exact;
    this.options = options;
    this.jvm = jvm;
  }

  Switch(String words, Ablation ablation) {
    this(words, true, List.of(), List.of(off(ablation)));
  }

  private static String off(Ablation ablation) {
    return "-D%s=%s".formatted(Ablation.PROPERTY, ablation.word());
  }

  /** As typed: {@code kv-cache}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The one that is typed so; null for none. */
  public static Switch named(String word) {
    return Arrays.stream(values())
        .filter(each -> each.word().equals(word))
        .findFirst()
        .orElse(null);
  }

  /** What it is, for a table. */
  String words() {
    return words;
  }

  /** Whether results are the same to the bit without it. */
  boolean exact() {
    return exact;
  }

  /** Options of a workload that leave it out. */
  public List<String> options(String workload) {
    return this == BATCHING && workload.equals("generate") ? List.of() : options;
  }

  /** Flags of the JVM that leave it out. */
  public List<String> jvm(String workload) {
    return this == BATCHING && workload.equals("embed") ? List.of() : jvm;
  }

  /** Those that a workload has. */
  public static List<Switch> of(String workload) {
    return Arrays.stream(values())
        .filter(
            each ->
                switch (each) {
                  case KV_CACHE -> workload.equals("generate");
                  default -> true;
                })
        .toList();
  }
}
