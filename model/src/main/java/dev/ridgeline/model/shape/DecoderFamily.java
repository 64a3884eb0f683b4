package dev.ridgeline.model.shape;

/**
 * Models of the Llama kind and how they differ: by what, not by sizes.
 *
 * <p>All have RMS norms before attention and feed-forward layer, rotary positions, shared key
 * heads, and a gated feed-forward layer.
 */
public enum DecoderFamily {
  /** Llama 2 and 3, TinyLlama, SmolLM, Mistral. */
  LLAMA("llama", false, false),
  /** Qwen 2 and 2.5: biases of queries, keys and values. */
  QWEN2("qwen2", false, false),
  /** Qwen 3: norms of queries and keys, heads of any width. */
  QWEN3("qwen3", true, false),
  /**
   * Gemma 3: norms behind attention and feed-forward layer, too, GELU for SiLU, tokens scaled by
   * the root of their width, and a sliding window in all but every so many-th layer.
   */
  GEMMA3("gemma3", true, true),
  /**
   * EmbeddingGemma: a Gemma 3 that reads both ways, half of a window on either side, and may have
   * two dense layers after the pooling (arXiv:2509.20354).
   */
  GEMMA_EMBEDDING("gemma-embedding", true, true);

  private final String word;
  private final boolean normsHeads;
  private final boolean gemma;

  DecoderFamily(String word, boolean normsHeads, boolean gemma) {
    this.word = word;
    this.normsHeads = normsHeads;
    this.gemma = gemma;
  }

  /** GGUF's word for it. */
  public String word() {
    return word;
  }

  /** The family of GGUF's word, or null. */
  public static DecoderFamily of(String word) {
    for (DecoderFamily family : values()) if (family.word.equals(word)) return family;
    return null;
  }

  /** Whether queries, keys and values always have biases; others may. */
  public boolean needsBias() {
    return this == QWEN2;
  }

  /** Whether each head's query and key is brought to length before it is turned. */
  public boolean normsHeads() {
    return normsHeads;
  }

  /** Whether what attention and feed-forward layer answer goes through norms of their own. */
  public boolean normsAfter() {
    return gemma;
  }

  /** Whether the gate of the feed-forward layer is a GELU; a SiLU otherwise. */
  public boolean gelu() {
    return gemma;
  }

  /** Whether the vectors of tokens are scaled by the root of their width. */
  public boolean scalesTokens() {
    return gemma;
  }

  /** Whether a token sees those after it, too; then the model embeds and never writes. */
  public boolean bidirectional() {
    return this == GEMMA_EMBEDDING;
  }

  /** Whether most layers see only a window. */
  public boolean windowed() {
    return gemma;
  }

  /** Whether rope turns neighbours {@code (2j, 2j+1)}; halves {@code (j, j+w/2)} otherwise. */
  public boolean turnsNeighbours() {
    return this == LLAMA;
  }
}
