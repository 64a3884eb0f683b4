package dev.ridgeline.oracle;

/**
 * How a context of llama.cpp computes.
 *
 * @param context tokens that it remembers at most
 * @param batch tokens that go through it together at most
 * @param texts that go through it together at most
 * @param flash whether attention is fused, which rounds keys and values to f16
 * @param exact whether keys and values are kept as f32, and not as f16; its threads then end with
 *     each batch, and do not stay and poll
 */
public record LlamaOptions(
    int context, int batch, int texts, int threads, boolean flash, boolean exact) {

  /** Nothing of a text is rounded. */
  static LlamaOptions exact(int most, int threads) {
    return new LlamaOptions(most, most, 1, threads, false, true);
  }

  /** As its own programs have it, one text at a time. */
  public static LlamaOptions fast(int context, int batch, int threads, boolean flash) {
    return new LlamaOptions(context, batch, 1, threads, flash, false);
  }

  public LlamaOptions withTexts(int next) {
    return new LlamaOptions(context, batch, next, threads, flash, exact);
  }
}
