package dev.ridgeline.tensor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
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
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** llama.cpp's libraries out of an npm package, asked for a second opinion; skips without them. */
public final class LlamaCpp {
  private static final String PACKAGE = "@node-llama-cpp/linux-x64";
  private static final String VERSION = System.getProperty("version.node-llama-cpp");
  private static final int PATIENCE_SECONDS = 300;

  /** More than any of its structures of parameters needs: they differ from version to version. */
  private static final MemoryLayout PARAMETERS =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(32, JAVA_LONG));

  private final Path folder;

  private LlamaCpp(Path folder) {
    this.folder = folder;
  }

  /** Fetched once for each user: the package has some megabytes. */
  public static LlamaCpp fetch() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        PACKAGE + " is for Linux on x86-64");
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "ridgeline-tests");
    Path fetched = cache.resolve("node-llama-cpp-linux-x64-" + VERSION);
    if (!Files.exists(fetched)) fetch(cache, fetched);
    return new LlamaCpp(fetched.resolve("package/bins/linux-x64"));
  }

  private static void fetch(Path cache, Path fetched) {
    try {
      Files.createDirectories(cache);
      Path unfinished = Files.createTempDirectory(cache, "fetching");
      run(unfinished, "npm", "pack", "--silent", PACKAGE + "@" + VERSION);
      run(unfinished, "sh", "-c", "tar xzf *.tgz && rm *.tgz");
      Files.move(unfinished, fetched);
    } catch (FileSystemException e) {
      if (!Files.exists(fetched)) throw new UncheckedIOException(e); // else another build was first
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(Path folder, String... command) throws IOException {
    String path = System.getenv("PATH");
    boolean there =
        Stream.of(path.split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, command[0])));
    assumeTrue(there, command[0] + " is not installed");
    try {
      Process process = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!ended) process.destroyForcibly();
      assumeTrue(ended && process.exitValue() == 0, String.join(" ", command) + " failed");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Where its libraries lie. */
  public Path folder() {
    return folder;
  }

  /** A function of the library whose file's name begins so. */
  public MethodHandle function(String library, String name, FunctionDescriptor descriptor) {
    MemorySegment address = library(library).findOrThrow(name);
    return Linker.nativeLinker().downcallHandle(address, descriptor);
  }

  private SymbolLookup library(String prefix) {
    try (Stream<Path> files = Files.list(folder)) {
      Path file =
          files
              .filter(f -> f.getFileName().toString().startsWith(prefix))
              .findFirst()
              .orElseThrow();
      return SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its blocks of rows of numbers. */
  public void quantize(
      TensorType type, MemorySegment from, long rows, long columns, MemorySegment out) {
    MethodHandle chunk =
        function(
            "libggml-base.",
            "ggml_quantize_chunk",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS));
    try {
      long written =
          (long) chunk.invoke(type.code(), from, out, 0L, rows, columns, MemorySegment.NULL);
      if (written != out.byteSize()) throw new AssertionError(written + " bytes of " + type.word());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The numbers it reads out of blocks. */
  public void dequantize(TensorType type, MemorySegment from, long count, MemorySegment out) {
    MethodHandle traits =
        function("libggml-base.", "ggml_get_type_traits", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    try {
      MemorySegment found = ((MemorySegment) traits.invoke(type.code())).reinterpret(64);
      String name = found.get(ADDRESS, 0).reinterpret(16).getString(0);
      if (!name.equalsIgnoreCase(type.word())) throw new AssertionError(name);
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
        function(
            "libllama.", "llama_model_quantize_default_params", FunctionDescriptor.of(PARAMETERS));
    MethodHandle quantize =
        function(
            "libllama.",
            "llama_model_quantize",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      silence();
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

  /** Loads a model and answers how many tokens its vocabulary has. */
  public int vocabularyOfLoaded(Path model) {
    MethodHandle backends =
        function("libggml.", "ggml_backend_load_all_from_path", FunctionDescriptor.ofVoid(ADDRESS));
    MethodHandle defaults =
        function("libllama.", "llama_model_default_params", FunctionDescriptor.of(PARAMETERS));
    MethodHandle load =
        function(
            "libllama.",
            "llama_model_load_from_file",
            FunctionDescriptor.of(ADDRESS, ADDRESS, PARAMETERS));
    MethodHandle vocabulary =
        function("libllama.", "llama_model_get_vocab", FunctionDescriptor.of(ADDRESS, ADDRESS));
    MethodHandle tokens =
        function("libllama.", "llama_vocab_n_tokens", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    MethodHandle free =
        function("libllama.", "llama_model_free", FunctionDescriptor.ofVoid(ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      silence();
      backends.invoke(arena.allocateFrom(folder.toString()));
      MemorySegment parameters = (MemorySegment) defaults.invoke((SegmentAllocator) arena);
      MemorySegment loaded =
          (MemorySegment) load.invoke(arena.allocateFrom(model.toString()), parameters);
      if (loaded.address() == 0) throw new AssertionError("llama.cpp refuses " + model);
      int count = (int) tokens.invoke((MemorySegment) vocabulary.invoke(loaded));
      free.invoke(loaded);
      return count;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** It tells all it does on standard error, unless given somebody to tell. */
  private void silence() throws Throwable {
    MethodHandle set =
        function("libllama.", "llama_log_set", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS));
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
  }

  private static void ignore(int level, MemorySegment text, MemorySegment data) {}
}
