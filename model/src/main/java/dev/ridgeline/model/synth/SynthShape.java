package dev.ridgeline.model.synth;

import dev.ridgeline.model.imports.GgufVocabulary;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.GemmaShape;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.shape.Shape;
import java.util.Arrays;
import java.util.List;

/** A model whose shape can be had with random weights. */
public enum SynthShape {
  /** all-MiniLM-L6-v2. */
  MINILM_L6("minilm-l6", bert(6, 384, 1536, Pooling.MEAN)),
  /** bge-base-en-v1.5. */
  BGE_BASE("bge-base", bert(12, 768, 3072, Pooling.CLS)),
  /** EmbeddingGemma 300M. */
  EMBEDDINGGEMMA_300M(
      "embeddinggemma-300m",
      new GemmaShape(
          262_144, 2048, 24, 768, 1152, 3, 1, 256, 512, 6, 1e6f, 1e4f, 1e-6f, 3072, Pooling.MEAN)),
  /** EmbeddingGemma in small, for tests: local and global layers, and a window soon passed. */
  EMBEDDINGGEMMA_TINY(
      "embeddinggemma-tiny",
      new GemmaShape(600, 256, 7, 96, 160, 3, 1, 32, 16, 6, 1e6f, 1e4f, 1e-6f, 192, Pooling.MEAN)),

  TINYLLAMA_1_1B("tinyllama-1.1b", llama(32_000, 2048, 22, 2048, 5632, 32, 4, 1e4f, false, false)),
  LLAMA_3_2_1B("llama-3.2-1b", llama(128_256, 131_072, 16, 2048, 8192, 32, 8, 5e5f, true, true)),
  LLAMA_3_8B("llama-3-8b", llama(128_256, 8192, 32, 4096, 14_336, 32, 8, 5e5f, false, false)),
  QWEN3_0_6B("qwen3-0.6b", qwen3(151_936, 40_960, 28, 1024, 3072, 16, 8, 128, null)),
  /** Qwen3-Embedding 0.6B: the same, its last token is the text's vector. */
  QWEN3_EMBEDDING_0_6B(
      "qwen3-embedding-0.6b", qwen3(151_936, 32_768, 28, 1024, 3072, 16, 8, 128, Pooling.LAST)),
  GEMMA3_1B("gemma3-1b", gemma3(262_144, 32_768, 26, 1152, 6912, 4, 1, 256, 512)),
  GPT2("gpt2", new Gpt2Shape(50_257, 1024, 12, 768, 3072, 12, 1e-5f, true)),
  /**
   * SmallMind's, 470 thousand parameters: that many with fewer tokens and a matrix that is used
   * twice, since all bytes must be tokens and 82 tokens must fit into its context.
   */
  SMALL("small", new Gpt2Shape(448, 128, 2, 128, 512, 4, 1e-5f, true)),
  /** SmallMind's, 3.45 million parameters in 53 tensors. */
  MEDIUM("medium", new Gpt2Shape(512, 128, 4, 256, 1024, 8, 1e-5f, false)),

  /** BERT in small, for tests: rows that fill K-quants. */
  BERT_TINY("bert-tiny", new BertShape(30_522, 512, 2, 2, 256, 512, 4, 1e-12f, Pooling.MEAN)),

  // One of each kind of decoder for tests; what tells it from the others happens within 80 tokens.

  /** What llama2.c can have, too: a key head for each head, tied. */
  LLAMA2C_TINY("llama2c-tiny", llama(512, 128, 2, 128, 384, 4, 4, 1e4f, false, true)),
  /** Heads that share keys, rows that fill K-quants. */
  LLAMA_TINY("llama-tiny", llama(600, 256, 2, 256, 512, 8, 2, 1e4f, false, false)),
  /** Rope of Llama 3.1 and later: each frequency has a factor. */
  LLAMA3_TINY("llama3-tiny", llama(800, 512, 2, 96, 160, 3, 1, 5e5f, true, true)),
  QWEN2_TINY(
      "qwen2-tiny",
      new DecoderShape(
          DecoderFamily.QWEN2,
          700,
          256,
          3,
          96,
          160,
          6,
          2,
          16,
          Rope.of(16, 1e6f),
          false,
          null,
          1e-6f,
          true,
          true,
          null)),
  /** Heads that together are wider than a token's vector. */
  QWEN3_TINY("qwen3-tiny", qwen3(700, 256, 2, 96, 160, 4, 2, 32, null)),
  QWEN3_EMBEDDING_TINY(
      "qwen3-embedding-tiny", qwen3(700, 1024, 2, 96, 160, 4, 2, 32, Pooling.LAST)),
  GEMMA3_TINY("gemma3-tiny", gemma3(600, 256, 7, 96, 160, 3, 1, 32, 16)),
  GPT2_TINY("gpt2-tiny", new Gpt2Shape(600, 128, 2, 96, 384, 4, 1e-5f, true));

  private final String word;
  private final Shape architecture;

  SynthShape(String word, Shape architecture) {
    this.word = word;
    this.architecture = architecture;
  }

  private static BertShape bert(int layers, int width, int hidden, Pooling pooling) {
    return new BertShape(30_522, 512, 2, layers, width, hidden, 12, 1e-12f, pooling);
  }

  private static DecoderShape llama(
      int vocabulary,
      int context,
      int layers,
      int width,
      int hidden,
      int heads,
      int kvHeads,
      float ropeBase,
      boolean ropeFactors,
      boolean tied) {
    return new DecoderShape(
        DecoderFamily.LLAMA,
        vocabulary,
        context,
        layers,
        width,
        hidden,
        heads,
        kvHeads,
        width / heads,
        Rope.of(width / heads, ropeBase),
        ropeFactors,
        null,
        1e-5f,
        false,
        tied,
        null);
  }

  private static DecoderShape qwen3(
      int vocabulary,
      int context,
      int layers,
      int width,
      int hidden,
      int heads,
      int kvHeads,
      int headWidth,
      Pooling pooling) {
    return new DecoderShape(
        DecoderFamily.QWEN3,
        vocabulary,
        context,
        layers,
        width,
        hidden,
        heads,
        kvHeads,
        headWidth,
        Rope.of(headWidth, 1e6f),
        false,
        null,
        1e-6f,
        false,
        true,
        pooling);
  }

  private static DecoderShape gemma3(
      int vocabulary,
      int context,
      int layers,
      int width,
      int hidden,
      int heads,
      int kvHeads,
      int headWidth,
      int window) {
    return new DecoderShape(
        DecoderFamily.GEMMA3,
        vocabulary,
        context,
        layers,
        width,
        hidden,
        heads,
        kvHeads,
        headWidth,
        Rope.of(headWidth, 1e6f),
        false,
        new DecoderShape.Windows(window, 6, 1e4f),
        1e-6f,
        false,
        true,
        null);
  }

  /** As users write it: {@code minilm-l6}. */
  public String word() {
    return word;
  }

  public Shape architecture() {
    return architecture;
  }

  /** Whether it makes vectors of texts, and not texts. */
  public boolean embeds() {
    return switch (architecture) {
      case BertShape _, GemmaShape _ -> true;
      case Gpt2Shape _ -> false;
      case DecoderShape decoder -> decoder.pooling() != null;
    };
  }

  GgufVocabulary vocabulary() {
    int size = architecture.vocabulary();
    return switch (architecture) {
      case BertShape _ -> SynthVocabulary.wordPiece(size);
      case GemmaShape _ -> SynthVocabulary.gemma(size, true);
      case Gpt2Shape _ -> SynthVocabulary.gpt2(size);
      case DecoderShape decoder ->
          switch (decoder.family()) {
            case GEMMA3 -> SynthVocabulary.gemma(size, false);
            case QWEN2, QWEN3 -> SynthVocabulary.qwen(size, decoder.pooling() != null);
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
