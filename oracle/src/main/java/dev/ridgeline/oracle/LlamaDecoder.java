package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** What llama.cpp expects behind the tokens of a text. One thread at a time. */
public final class LlamaDecoder implements AutoCloseable {
  /** Two that wait for each other in a loop between operations lose to any third. */
  private static final int THREADS = 1;

  private final LlamaContext context;
  private final MethodHandle result;
  private final long bytes;

  /**
   * As exact as it can be.
   *
   * @param most tokens of a text
   */
  public LlamaDecoder(LlamaModel model, int most) {
    this(model, LlamaOptions.exact(most, THREADS));
  }

  public LlamaDecoder(LlamaModel model, LlamaOptions options) {
    context = new LlamaContext(model, options, false);
    bytes = 4L * model.tokens();
    result =
        model.llama.function(
            "llama_get_logits_ith", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  }

  /** Goes on with these tokens; the logits behind each of them. */
  public float[][] decode(int... tokens) {
    context.decode(tokens, true);
    float[][] logits = new float[tokens.length][];
    try {
      for (int i = 0; i < tokens.length; i++) {
        MemorySegment row = (MemorySegment) result.invoke(context.address, i);
        logits[i] = row.reinterpret(bytes).toArray(JAVA_FLOAT);
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return logits;
  }

  /** Goes on with these tokens; nobody looks at what is expected behind them. */
  public void read(int... tokens) {
    context.decode(tokens, false);
  }

  /** Begins a new text. */
  public void clear() {
    context.clear();
  }

  @Override
  public void close() {
    context.close();
  }
}
