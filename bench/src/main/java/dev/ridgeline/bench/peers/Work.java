package dev.ridgeline.bench.peers;

import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.util.List;

/**
 * Something that engines do side by side.
 *
 * @param model as the store names it
 * @param quick a smaller one of the same kind, to try the command with
 * @param tokens of a text or prompt, or those that are decoded
 * @param rivals whom ours is compared with
 * @param least units a second that ours should reach without anybody to compare with, or 0
 */
record Work(
    String name,
    Kind kind,
    String model,
    String quick,
    int tokens,
    List<Rival> rivals,
    double least) {

  /** What is done, and what is counted. */
  enum Kind {
    /** Texts of many lengths, as they come. */
    MIXED_TEXTS("texts/s"),
    /** 32 texts of one length. */
    EQUAL_TEXTS("texts/s"),
    /** One short text at a time: the median of what each takes. */
    ONE_TEXT("ms"),
    /** A prompt is read. */
    PREFILL("tokens/s"),
    /** One token after the other. */
    DECODE("tokens/s");

    final String unit;

    Kind(String unit) {
      this.unit = unit;
    }

    /** Whether less is better. */
    boolean latency() {
      return this == ONE_TEXT;
    }

    boolean embeds() {
      return this != PREFILL && this != DECODE;
    }
  }

  /** Engines of others. */
  enum Peer {
    ONNX_F32,
    ONNX_INT8,
    LLAMA_CPP
  }

  /**
   * One that ours is compared with.
   *
   * @param bars the ratios that ours should reach, or stay below where less is better
   * @param known what it reached in its best native harness on 2026-11-15, AMD EPYC Zen 4, 2 cores;
   *     0 for unknown
   */
  record Rival(Peer peer, Bars bars, double known) {}

  /**
   * Ratios by the instructions that our kernels are made of; 0 for none.
   *
   * @param best where bytes have products of their own
   * @param avx2 where they have not, nor has the peer
   * @param forced where a lower tier was asked for, and the peer keeps what the processor has
   */
  record Bars(double best, double avx2, double forced) {
    static final Bars NONE = new Bars(0, 0, 0);

    double here() {
      Tier tier = Tier.here();
      if (tier != Tier.AVX2) return best;
      return Tier.of(CpuFeatures.here()) == Tier.AVX2 ? avx2 : forced;
    }
  }

  private static final String MINILM = "all-minilm-l6-v2:";
  private static final String LLAMA = "synth:tinyllama-1.1b:";
  private static final String SMALL_LLAMA = "synth:llama-tiny:";

  /** Every work there is. */
  static final List<Work> ALL =
      List.of(
          embed(
              "minilm-q8_0",
              MINILM + "q8_0",
              new Rival(Peer.ONNX_INT8, new Bars(1.4, 1.2, 0.6), 320),
              new Rival(Peer.LLAMA_CPP, Bars.NONE, 123)),
          embed(
              "minilm-f32",
              MINILM + "f32",
              new Rival(Peer.ONNX_F32, new Bars(1.2, 1.15, 0), 143),
              new Rival(Peer.LLAMA_CPP, Bars.NONE, 97)),
          new Work(
              "minilm-one",
              Kind.ONE_TEXT,
              MINILM + "q8_0",
              MINILM + "q8_0",
              0,
              List.of(new Rival(Peer.ONNX_INT8, new Bars(0.6, 0.7, 0), 1.94)),
              0),
          new Work(
              "gemma-q8_0",
              Kind.EQUAL_TEXTS,
              "synth:embeddinggemma-300m:q8_0",
              "synth:embeddinggemma-tiny:q8_0",
              64,
              List.of(new Rival(Peer.LLAMA_CPP, new Bars(3, 0, 0), 13.3)),
              0),
          prefill("q8_0", new Bars(2.5, 1.5, 0), 104),
          prefill("q4_0", new Bars(2.2, 1.5, 0), 126),
          prefill("q4_k", new Bars(2.2, 1.3, 0), 129),
          decode("q8_0", new Bars(1.05, 0, 0), 34),
          decode("q4_0", new Bars(1.2, 0, 0), 55.3),
          decode("q4_k", Bars.NONE, 0),
          new Work(
              "stories-decode",
              Kind.DECODE,
              "stories15m:q8_0",
              "stories15m:q8_0",
              128,
              List.of(new Rival(Peer.LLAMA_CPP, new Bars(1.5, 0, 0), 1508)),
              0),
          new Work(
              "smallmind-medium",
              Kind.DECODE,
              "synth:medium:q8_0",
              "synth:small:q8_0",
              96,
              List.of(),
              6000));

  private static Work embed(String name, String model, Rival... rivals) {
    return new Work(name, Kind.MIXED_TEXTS, model, model, 0, List.of(rivals), 0);
  }

  private static Work prefill(String type, Bars bars, double known) {
    return llama("llama-prefill-" + type, Kind.PREFILL, type, 512, bars, known);
  }

  private static Work decode(String type, Bars bars, double known) {
    return llama("llama-decode-" + type, Kind.DECODE, type, 64, bars, known);
  }

  /** Where {@code q4_k} is the middle mix, which is what people download. */
  private static Work llama(
      String name, Kind kind, String type, int tokens, Bars bars, double known) {
    return new Work(
        name,
        kind,
        LLAMA + type,
        SMALL_LLAMA + type,
        tokens,
        List.of(new Rival(Peer.LLAMA_CPP, bars, known)),
        0);
  }

  /** The work of a name, or null. */
  static Work of(String name) {
    for (Work work : ALL) if (work.name.equals(name)) return work;
    return null;
  }

  /** Like it, but a matter of seconds, and nothing to be held against. */
  Work quickly() {
    List<Rival> same = rivals.stream().map(rival -> new Rival(rival.peer, Bars.NONE, 0)).toList();
    return new Work(name, kind, quick, quick, Math.min(tokens, 24), same, 0);
  }
}
