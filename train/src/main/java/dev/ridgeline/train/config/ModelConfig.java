package dev.ridgeline.train.config;

import dev.ridgeline.train.json.WrongValueException;
import java.util.Locale;

/** The model: a new one of some shape, or one to continue from. */
public sealed interface ModelConfig {
  /** The architecture of a model. */
  enum Architecture {
    LLAMA,
    GPT2;

    /** As users write it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The width of the feed-forward layer where none is given. */
    public int usualHidden(int dim) {
      // Two thirds of four times the width, in steps of 32, as Llama 2 has it; it has a gate more.
      return this == GPT2 ? 4 * dim : (8 * dim / 3 + 31) / 32 * 32;
    }
  }

  /**
   * A new model.
   *
   * @param dim numbers of a token's vector
   * @param keyHeads that the heads share
   * @param hidden width of the feed-forward layer
   * @param context most tokens of a text
   * @param tied whether the table of tokens is the matrix after the last layer, too
   */
  record Fresh(
      Architecture shape,
      int dim,
      int layers,
      int heads,
      int keyHeads,
      int hidden,
      int context,
      boolean tied)
      implements ModelConfig {
    static final int LONGEST_CONTEXT = 1 << 20;

    public Fresh {
      Range.within("dim", dim, 2, 65_536);
      Range.within("layers", layers, 1, 1_000);
      Range.within("heads", heads, 1, 1_024);
      Range.within("keyHeads", keyHeads, 1, 1_024);
      Range.within("hidden", hidden, 1, 1_048_576);
      Range.within("context", context, 1, LONGEST_CONTEXT);
      if (dim % heads != 0) {
        throw new WrongValueException(
            "heads", "%d is not divisible by %d heads".formatted(dim, heads));
      }
      if (heads % keyHeads != 0) {
        throw new WrongValueException(
            "keyHeads", "%d heads cannot share %d key heads".formatted(heads, keyHeads));
      }
      if (shape == Architecture.GPT2 && keyHeads != heads) {
        throw new WrongValueException("keyHeads", "gpt2 needs a key head for each head");
      }
      if (shape == Architecture.LLAMA && dim / heads % 2 != 0) {
        throw new WrongValueException(
            "heads", "rope rotates pairs, and a head has %d numbers".formatted(dim / heads));
      }
    }

    /** Numbers of a head. */
    public int headWidth() {
      return dim / heads;
    }
  }

  /**
   * A model to continue from.
   *
   * @param file a GGUF, relative to the configuration's folder
   */
  record Continued(String file) implements ModelConfig {
    public Continued {
      Range.written("file", file);
    }
  }
}
