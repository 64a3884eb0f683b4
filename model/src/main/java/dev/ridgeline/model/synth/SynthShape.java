package dev.ridgeline.model.synth;

import dev.ridgeline.model.Pooling;
import dev.ridgeline.model.imports.GgufVocabulary;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.model.shape.GemmaShape;
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
      new GemmaShape(600, 256, 7, 96, 160, 3, 1, 32, 16, 6, 1e6f, 1e4f, 1e-6f, 192, Pooling.MEAN));

  private final String word;
  private final Shape architecture;

  SynthShape(String word, Shape architecture) {
    this.word = word;
    this.architecture = architecture;
  }

  private static BertShape bert(int layers, int width, int hidden, Pooling pooling) {
    return new BertShape(30_522, 512, 2, layers, width, hidden, 12, 1e-12f, pooling);
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
      case GemmaShape _ -> SynthVocabulary.sentencePiece(size);
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
