package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A GGUF file that llama.cpp has loaded. Any number of threads may read from it. */
public final class LlamaModel implements AutoCloseable {
  /** Where two parameters of loading lie in the version that is fetched. */
  private static final long VOCAB_ONLY = 72;

  private static final long ALWAYS_SET = 74;

  final LlamaCpp llama;
  final MemorySegment address;
  private final MemorySegment vocabulary;
  private final MethodHandle tokenize;

  private LlamaModel(LlamaCpp llama, Path file, boolean vocabularyAlone) {
    this.llama = llama;
    MethodHandle defaults =
        llama.function("llama_model_default_params", FunctionDescriptor.of(LlamaCpp.PARAMETERS));
    MethodHandle load =
        llama.function(
            "llama_model_load_from_file",
            FunctionDescriptor.of(ADDRESS, ADDRESS, LlamaCpp.PARAMETERS));
    MethodHandle vocabularyOf =
        llama.function("llama_model_get_vocab", FunctionDescriptor.of(ADDRESS, ADDRESS));
    tokenize =
        llama.function(
            "llama_tokenize",
            FunctionDescriptor.of(
                JAVA_INT,
                ADDRESS,
                ADDRESS,
                JAVA_INT,
                ADDRESS,
                JAVA_INT,
                JAVA_BOOLEAN,
                JAVA_BOOLEAN));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = (MemorySegment) defaults.invoke((SegmentAllocator) arena);
      if (vocabularyAlone) {
        if (parameters.get(JAVA_SHORT, VOCAB_ONLY) != 0
            || parameters.get(JAVA_BYTE, ALWAYS_SET) != 1) {
          throw new AssertionError("the parameters of llama.cpp look otherwise now");
        }
        parameters.set(JAVA_BOOLEAN, VOCAB_ONLY, true);
      }
      address = (MemorySegment) load.invoke(arena.allocateFrom(file.toString()), parameters);
      if (address.address() == 0) throw new AssertionError("llama.cpp refuses " + file);
      vocabulary = (MemorySegment) vocabularyOf.invoke(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Loads a file; one that it refuses fails the test. */
  public static LlamaModel load(Path file) {
    return new LlamaModel(LlamaCpp.fetch(), file, false);
  }

  /** Loads the vocabulary of a file, which need not have weights. */
  public static LlamaModel loadVocabulary(Path file) {
    return new LlamaModel(LlamaCpp.fetch(), file, true);
  }

  /** How many tokens its vocabulary has. */
  public int tokens() {
    return number("llama_vocab_n_tokens", vocabulary);
  }

  /** Numbers of a token's vector. */
  public int width() {
    return number("llama_model_n_embd", address);
  }

  private int number(String name, MemorySegment of) {
    try {
      return (int) llama.function(name, FunctionDescriptor.of(JAVA_INT, ADDRESS)).invoke(of);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The tokens of a text.
   *
   * @param framed whether those that begin and end a text are added
   * @param special whether control tokens that are spelled out count as such
   */
  public int[] tokenize(String text, boolean framed, boolean special) {
    try (Arena arena = Arena.ofConfined()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      MemorySegment input = arena.allocateFrom(JAVA_BYTE, bytes);
      int most = bytes.length + 8; // a token has a byte at least, and a few frame the text
      MemorySegment tokens = arena.allocate(JAVA_INT, most);
      int count =
          (int) tokenize.invoke(vocabulary, input, bytes.length, tokens, most, framed, special);
      if (count < 0) throw new AssertionError(-count + " tokens of " + bytes.length + " bytes");
      return tokens.asSlice(0, 4L * count).toArray(JAVA_INT);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      llama.function("llama_model_free", FunctionDescriptor.ofVoid(ADDRESS)).invoke(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
