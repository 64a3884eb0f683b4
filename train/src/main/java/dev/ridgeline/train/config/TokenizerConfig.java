package dev.ridgeline.train.config;

/** How texts become ids. */
public sealed interface TokenizerConfig {
  /** Each byte is a token. */
  record Bytes() implements TokenizerConfig {}

  /**
   * Byte-level BPE that is trained on the training part of the data.
   *
   * @param vocabulary tokens at most: 256 bytes, one that ends texts, and merges
   */
  record Trained(int vocabulary) implements TokenizerConfig {
    public Trained {
      Range.within("vocabulary", vocabulary, 257, 1_000_000);
    }
  }

  /**
   * That of a model.
   *
   * @param from a GGUF, seen from the configuration's folder
   */
  record Taken(String from) implements TokenizerConfig {
    public Taken {
      Range.written("from", from);
    }
  }
}
