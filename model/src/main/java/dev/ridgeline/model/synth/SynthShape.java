package dev.ridgeline.model.synth;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Sizes;
import java.util.Arrays;
import java.util.List;

/** A model whose shape can be had with random weights. */
public enum SynthShape {
  /** all-MiniLM-L6-v2. */
  MINILM_L6("minilm-l6", bert(Sizes.of(30_522, 512, 6, 384, 1536, 12), Pooling.MEAN)),
  /** bge-base-en-v1.5. */
  BGE_BASE("bge-base", bert(Sizes.of(30_522, 512, 12, 768, 3072, 12), Pooling.CLS)),
  /** EmbeddingGemma 300M. */
  EMBEDDINGGEMMA_300M(
      "embeddinggemma-300m",
      embeddingGemma(new Sizes(262_144, 2048, 24, 768, 1152, 3, 1, 256), 512, 3072)),
  /** EmbeddingGemma in small, for tests: local and global layers, and a window soon passed. */
  EMBEDDINGGEMMA_TINY(
      "embeddinggemma-tiny", embeddingGemma(new Sizes(600, 256, 7, 96, 160, 3, 1, 32), 16, 192)),

  TINYLLAMA_1_1B(
      "tinyllama-1.1b",
      llama(new Sizes(32_000, 2048, 22, 2048, 5632, 32, 4, 64), 1e4f, false, false)),
  LLAMA_3_2_1B(
      "llama-3.2-1b",
      llama(new Sizes(128_256, 131_072, 16, 2048, 8192, 32, 8, 64), 5e5f, true, true)),
  LLAMA_3_8B(
      "llama-3-8b",
      llama(new Sizes(128_256, 8192, 32, 4096, 14_336, 32, 8, 128), 5e5f, false, false)),
  QWEN3_0_6B("qwen3-0.6b", qwen3(new Sizes(151_936, 40_960, 28, 1024, 3072, 16, 8, 128), null)),
  /** Qwen3-Embedding 0.6B: the same, its last token is the text's vector. */
  QWEN3_EMBEDDING_0_6B(
      "qwen3-embedding-0.6b",
      qwen3(new Sizes(151_936, 32_768, 28, 1024, 3072, 16, 8, 128), Pooling.LAST)),
  GEMMA3_1B(
      "gemma3-1b",
      gemma(
          DecoderFamily.GEMMA3,
          new Sizes(262_144, 32_768, 26, 1152, 6912, 4, 1, 256),
          512,
          null,
          0)),
  GPT2("gpt2", gpt2(Sizes.of(50_257, 1024, 12, 768, 3072, 12), true)),
  /**
   * SmallMind's, 470 thousand parameters: that many with fewer tokens and a matrix that is used
   * twice, since all bytes must be tokens and 82 tokens must fit into its context.
   */
  SMALL("small", gpt2(Sizes.of(448, 128, 2, 128, 512, 4), true)),
  /** SmallMind's, 3.45 million parameters in 53 tensors. */
  MEDIUM("medium", gpt2(Sizes.of(512, 128, 4, 256, 1024, 8), false)),

  /** BERT in small, for tests: rows that fill K-quants. */
  BERT_TINY("bert-tiny", bert(Sizes.of(30_522, 512, 2, 256, 512, 4), Pooling.MEAN)),

  // One of each kind of decoder for tests; what tells it from the others happens within 80 tokens.

  /** What llama2.c can have, too: a key head for each head, tied. */
  LLAMA2C_TINY("llama2c-tiny", llama(Sizes.of(512, 128, 2, 128, 384, 4), 1e4f, false, true)),
  /** Heads that share keys, rows that fill K-quants. */
  LLAMA_TINY("llama-tiny", llama(new Sizes(600, 256, 2, 256, 512, 8, 2, 32), 1e4f, false, false)),
  /** Rope of Llama 3.1 and later: each frequency has a factor. */
  LLAMA3_TINY("llama3-tiny", llama(new Sizes(800, 512, 2, 96, 160, 3, 1, 32), 5e5f, true, true)),
  QWEN2_TINY(
      "qwen2-tiny",
      DecoderShape.plain(
          DecoderFamily.QWEN2, new Sizes(700, 256, 3, 96, 160, 6, 2, 16), 1e6f, 1e-6f, true)),
  /** Heads that together are wider than a token's vector. */
  QWEN3_TINY("qwen3-tiny", qwen3(new Sizes(700, 256, 2, 96, 160, 4, 2, 32), null)),
  QWEN3_EMBEDDING_TINY(
      "qwen3-embedding-tiny", qwen3(new Sizes(700, 1024, 2, 96, 160, 4, 2, 32), Pooling.LAST)),
  GEMMA3_TINY(
      "gemma3-tiny",
      gemma(DecoderFamily.GEMMA3, new Sizes(600, 256, 7, 96, 160, 3, 1, 32), 16, null, 0)),
  GPT2_TINY("gpt2-tiny", gpt2(Sizes.of(600, 128, 2, 96, 384, 4), true));

  private final String word;
  private final Shape architecture;

  SynthShape(String word, Shape architecture) {
    this.word = word;
    this.architecture = architecture;
  }

  private static BertShape bert(Sizes sizes, Pooling pooling) {
    return new BertShape(sizes, 2, 1e-12f, pooling);
  }

  private static Gpt2Shape gpt2(Sizes sizes, boolean tied) {
    return new Gpt2Shape(sizes, 1e-5f, tied);
  }

  private static DecoderShape llama(
      Sizes sizes, float ropeBase, boolean ropeFactors, boolean tied) {
    DecoderShape plain = DecoderShape.plain(DecoderFamily.LLAMA, sizes, ropeBase, 1e-5f, tied);
    return ropeFactors ? plain.withRopeFactors() : plain;
  }

  private static DecoderShape qwen3(Sizes sizes, Pooling pooling) {
    return DecoderShape.plain(DecoderFamily.QWEN3, sizes, 1e6f, 1e-6f, true).withPooling(pooling);
  }

  private static DecoderShape embeddingGemma(Sizes sizes, int window, int expanded) {
    return gemma(DecoderFamily.GEMMA_EMBEDDING, sizes, window, Pooling.MEAN, expanded);
  }

  private static DecoderShape gemma(
      DecoderFamily family, Sizes sizes, int window, Pooling pooling, int expanded) {
    Rope rope = Rope.of(sizes.headWidth(), 1e6f);
    var windows = new DecoderShape.Windows(window, 6, 1e4f);
    return new DecoderShape(
        family, sizes, rope, false, windows, 1e-6f, false, true, pooling, expanded);
  }

  /** As users write it: {@code minilm-l6}. */
  public String word() {
    return word;
  }

  public Shape architecture() {
    return architecture;
  }

  GgufVocabulary vocabulary() {
    int size = architecture.vocabulary();
    return switch (architecture) {
      case BertShape _ -> SynthVocabulary.wordPiece(size);
      case Gpt2Shape _ -> SynthVocabulary.gpt2(size);
      case DecoderShape decoder ->
          switch (decoder.family()) {
            case GEMMA3, GEMMA_EMBEDDING -> SynthVocabulary.gemma(size, decoder.embeds());
            case QWEN2, QWEN3 -> SynthVocabulary.qwen(size, decoder.embeds());
            // Llama 3 has other tokens than 2, and another base.
            case LLAMA ->
                decoder.rope().base() > 1e4f
                    ? SynthVocabulary.llama3(size)
                    : SynthVocabulary.llama2(size);
          };
    };
  }

  /** The shape of this name, or null. */
  public static SynthShape of(String word) {
    for (SynthShape shape : values()) if (shape.word.equalsIgnoreCase(word)) return shape;
    return null;
  }

  /** All names. */
  public static List<String> words() {
    return Arrays.stream(values()).map(SynthShape::word).toList();
  }
}
