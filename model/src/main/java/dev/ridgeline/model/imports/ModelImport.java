package dev.ridgeline.model.imports;

import dev.ridgeline.model.draft.Draft;
import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.shape.Slot;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A model of others that is understood and ready to be written as GGUF: the front door of this
 * package.
 *
 * <pre>{@code
 * try (var model = ModelImport.open(Path.of("all-MiniLM-L6-v2"), Options.NONE)) {
 *   model.write(Path.of("minilm.gguf"), TensorType.Q8_0, step -> {});
 * }
 * }</pre>
 */
public final class ModelImport implements AutoCloseable {
  /**
   * What the user knows better than the files.
   *
   * @param name of the model, or null
   * @param pooling or null
   * @param heads of attention, or 0
   * @param tokenizer {@code tokenizer.json} or {@code .bin}; null for the one beside the model
   * @param prompts what is put before texts, by task; empty for what the files say
   */
  public record Options(
      String name, Pooling pooling, int heads, Path tokenizer, Map<String, String> prompts) {
    public Options(String name, Pooling pooling, int heads, Path tokenizer) {
      this(name, pooling, heads, tokenizer, Map.of());
    }

    /** Refuses heads that were given where the model's own file says others. */
    void requireHeads(Path path, int said) {
      if (heads == 0 || heads == said) return;
      throw new ImportException(path, "has %d heads, not %d (--heads)".formatted(said, heads));
    }

    /**
     * The tokenizer that was named, or the first of some places where one is.
     *
     * @param usual the place that an error names
     */
    Path tokenizer(Path model, Path usual, Path... others) {
      if (tokenizer != null) return tokenizer;
      for (Path place : others) if (Files.exists(place)) return place;
      if (Files.exists(usual)) return usual;
      throw new ImportException(
          model, "has no %s next to it; name it with --tokenizer".formatted(usual.getFileName()));
    }

    public static final Options NONE = new Options(null, null, 0, null);
  }

  private final String name;
  private final Shape architecture;
  private final Draft draft;
  private final List<String> notes;
  private final List<AutoCloseable> files;

  ModelImport(
      String name, Shape architecture, Draft draft, List<String> notes, List<AutoCloseable> files) {
    this.name = name;
    this.architecture = architecture;
    this.draft = draft;
    this.notes = List.copyOf(notes);
    this.files = List.copyOf(files);
  }

  /** One whose weights fill the slots of a shape; the draft may get more keys. */
  static ModelImport of(
      Surroundings around,
      Shape shape,
      GgufVocabulary vocabulary,
      SourceWeights weights,
      List<AutoCloseable> files) {
    Draft draft = new Draft(shape, around.name(), vocabulary);
    around.prompts(draft);
    for (Slot slot : shape.slots()) {
      draft.add(slot, weights.weight(slot.original()).changed(slot.change()).checked(slot));
    }
    return new ModelImport(around.name(), shape, draft, around.notes(), files);
  }

  /** A vocabulary in the model's size, or a complaint that names where it was read. */
  static GgufVocabulary fitted(GgufVocabulary vocabulary, Shape shape, Path path) {
    try {
      return vocabulary.fitted(shape.vocabulary());
    } catch (ModelException e) {
      throw new ImportException(path, e.getMessage(), e);
    }
  }

  /**
   * What a reader makes of files; if it fails, they are closed.
   *
   * @param path to be named where sizes do not fit each other
   */
  static ModelImport read(
      Path path, List<? extends AutoCloseable> files, Supplier<ModelImport> reader) {
    try {
      return reader.get();
    } catch (ModelException e) {
      closeAll(files);
      throw new ImportException(path, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      closeAll(files);
      throw e;
    }
  }

  /** Sets a key that only some models have. */
  void put(String key, Object value) {
    draft.put(key, value);
  }

  /** Reads all but the numbers of a Hugging Face folder, an ONNX file or one of llama2.c. */
  public static ModelImport open(Path in, Options options) {
    if (!Files.exists(in)) throw new ImportException(in, "no such file or folder");
    if (!Files.isDirectory(in)) return openFile(in, options);
    if (hasSafetensors(in)) return HuggingFaceFolder.open(in, options);
    return OnnxModel.open(onnxIn(in), options);
  }

  private static ModelImport openFile(Path in, Options options) {
    String file = in.getFileName().toString().toLowerCase(Locale.ROOT);
    if (file.endsWith(".onnx")) return OnnxModel.open(in, options);
    if (file.endsWith(".bin")) return Llama2cModel.open(in, options);
    if (file.endsWith(".safetensors")) {
      return HuggingFaceFolder.open(in.toAbsolutePath().getParent(), options);
    }
    throw new ImportException(
        in,
        file.endsWith(".gguf")
            ? "is GGUF already; to change its type: ridgeline quantize --help"
            : "is neither .onnx nor .safetensors nor llama2.c's .bin nor a folder with one of"
                + " them");
  }

  private static boolean hasSafetensors(Path folder) {
    return Files.exists(folder.resolve(Safetensors.FILE))
        || Files.exists(folder.resolve(Safetensors.INDEX));
  }

  /** The ONNX file of a folder: the usual names, or the only one. */
  private static Path onnxIn(Path folder) {
    for (String usual : List.of("model.onnx", "onnx/model.onnx")) {
      if (Files.isRegularFile(folder.resolve(usual))) return folder.resolve(usual);
    }
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(file -> file.toString().endsWith(".onnx")).forEach(found::add);
    } catch (IOException e) {
      throw ImportException.of(folder, e);
    }
    if (found.size() == 1) return found.getFirst();
    throw new ImportException(
        folder,
        found.isEmpty()
            ? "has neither model.safetensors nor an .onnx file"
            : "has %d .onnx files; name one".formatted(found.size()));
  }

  public String name() {
    return name;
  }

  public Shape architecture() {
    return architecture;
  }

  /** What was decided without being told, a line each. */
  public List<String> notes() {
    return notes;
  }

  /** Which matrices cannot be of a type and what they become, in a line; null where all can. */
  public String substitutes(TensorType type) {
    return draft.substitutes(type);
  }

  /**
   * Writes the GGUF file, whole or not at all.
   *
   * @param type of the matrices
   * @param progress is told each tensor as it begins
   */
  public void write(Path out, TensorType type, Consumer<String> progress) {
    draft.write(out, type, progress);
  }

  @Override
  public void close() {
    closeAll(files);
  }

  private static void closeAll(List<? extends AutoCloseable> files) {
    for (AutoCloseable file : files) {
      try {
        file.close();
      } catch (Exception e) {
        throw new IllegalStateException("unmapping a file failed", e);
      }
    }
  }
}
