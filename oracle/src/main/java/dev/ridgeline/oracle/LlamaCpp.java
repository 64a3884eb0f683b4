package dev.ridgeline.oracle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** llama.cpp's libraries out of an npm package; whoever asks is skipped without them. */
public final class LlamaCpp {
  private static final String PACKAGE = "@node-llama-cpp/linux-x64";

  /** More than any of its structures of parameters needs: they differ from version to version. */
  static final MemoryLayout PARAMETERS =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(32, JAVA_LONG));

  /** Opened once: it keeps lists of what it has loaded. */
  private static LlamaCpp opened;

  private final Path folder;

  private LlamaCpp(Path folder) {
    this.folder = folder;
  }

  /** Fetched once for each user: the package has some megabytes. */
  public static synchronized LlamaCpp fetch() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        PACKAGE + " is for Linux on x86-64");
    if (opened == null) {
      Path files = NpmPackage.fetch(PACKAGE, "node-llama-cpp");
      LlamaCpp llama = new LlamaCpp(files.resolve("bins/linux-x64"));
      llama.silence();
      llama.loadBackends();
      opened = llama;
    }
    return opened;
  }

  /** What it calls itself: {@code libllama.v0.5.0.so}. */
  public String version() {
    return file("libllama.").getFileName().toString();
  }

  /** A function of the library whose file's name begins so. */
  MethodHandle function(String library, String name, FunctionDescriptor descriptor) {
    MemorySegment address =
        SymbolLookup.libraryLookup(file(library), Arena.global()).findOrThrow(name);
    return Linker.nativeLinker().downcallHandle(address, descriptor);
  }

  /** A function of libllama. */
  MethodHandle function(String name, FunctionDescriptor descriptor) {
    return function("libllama.", name, descriptor);
  }

  private Path file(String prefix) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its blocks of rows of numbers; types by GGUF's numbers. */
  public void quantize(int type, MemorySegment from, long rows, long columns, MemorySegment out) {
    MethodHandle chunk =
        function(
            "libggml-base.",
            "ggml_quantize_chunk",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS));
    try {
      long written = (long) chunk.invoke(type, from, out, 0L, rows, columns, MemorySegment.NULL);
      if (written != out.byteSize()) throw new AssertionError(written + " bytes of type " + type);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The numbers it reads out of blocks.
   *
   * @param word what the type must be called
   */
  public void dequantize(int type, String word, MemorySegment from, long count, MemorySegment out) {
    MethodHandle traits =
        function("libggml-base.", "ggml_get_type_traits", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    try {
      MemorySegment found = ((MemorySegment) traits.invoke(type)).reinterpret(64);
      String name = found.get(ADDRESS, 0).reinterpret(16).getString(0);
      if (!name.equalsIgnoreCase(word)) throw new AssertionError(name);
      MethodHandle toFloat =
          Linker.nativeLinker()
              .downcallHandle(
                  found.get(ADDRESS, 40), FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG));
      toFloat.invoke(from, out, count);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Makes a file of another type with its own hands. */
  public void quantizeFile(Path model, Path out, int fileType) {
    MethodHandle defaults =
        function("llama_model_quantize_default_params", FunctionDescriptor.of(PARAMETERS));
    MethodHandle quantize =
        function(
            "llama_model_quantize", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = (MemorySegment) defaults.invoke((SegmentAllocator) arena);
      parameters.set(JAVA_INT, 0, 2); // threads
      parameters.set(JAVA_INT, 4, fileType);
      parameters.set(JAVA_BYTE, 16, (byte) 1); // tensors that are quantized already, too
      int code =
          (int)
              quantize.invoke(
                  arena.allocateFrom(model.toString()),
                  arena.allocateFrom(out.toString()),
                  parameters);
      if (code != 0) throw new AssertionError("llama_model_quantize: " + code);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Without this it has no device to compute on. */
  private void loadBackends() {
    MethodHandle load =
        function("libggml.", "ggml_backend_load_all_from_path", FunctionDescriptor.ofVoid(ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      load.invoke(arena.allocateFrom(folder.toString()));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** It tells all it does on standard error, unless given somebody to tell. */
  private void silence() {
    MethodHandle set = function("llama_log_set", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
    try {
      MethodHandle ignore =
          MethodHandles.lookup()
              .findStatic(
                  LlamaCpp.class,
                  "ignore",
                  MethodType.methodType(
                      void.class, int.class, MemorySegment.class, MemorySegment.class));
      MemorySegment stub =
          Linker.nativeLinker()
              .upcallStub(
                  ignore, FunctionDescriptor.ofVoid(JAVA_INT, ADDRESS, ADDRESS), Arena.global());
      set.invoke(stub, MemorySegment.NULL);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("unused") // llama.cpp calls it
  private static void ignore(int level, MemorySegment text, MemorySegment data) {}
}
