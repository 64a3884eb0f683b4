package dev.ridgeline.tensor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
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
}
