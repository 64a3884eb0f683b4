package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** What llama.cpp expects behind the tokens of a text. One thread at a time. */
public final class LlamaDecoder implements AutoCloseable {
  private final LlamaContext context;
  private final MethodHandle result;

  /**
   * @param most tokens of a text
   */
  public LlamaDecoder(LlamaModel model, int most) {
    context = new LlamaContext(model, most, false);
    result =
        model.llama.function(
            "llama_get_logits_ith", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
  }

  /** Goes on with these tokens; the logits behind each of them. */
  public float[][] decode(int... tokens) {
    context.decode(tokens);
    float[][] logits = new float[tokens.length][];
    long bytes = 4L * context.model.tokens();
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

  /** Begins a new text. */
  public void clear() {
    context.clear();
  }

  @Override
  public void close() {
    context.close();
  }
}
